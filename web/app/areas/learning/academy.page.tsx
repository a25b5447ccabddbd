import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { joinAcademy, readAcademy } from '@officium/contract/content';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/academy.page';
import { CourseRow } from './course-row.tsx';
import { useDuration } from '../../ui/duration.tsx';
import { TopicLinks } from './topic-links.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return { academy: await api(readAcademy, { params, query: { locale } }) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const joined = await attempt(joinAcademy, { params });
  if (!joined.ok) return joined.refusal;
  return redirectWith(`/academies/${params.slug}`, { key: 'learning.academy_joined' });
}

export default function AcademyPage({ loaderData: { academy } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const duration = useDuration();
  const lang = academy.shownLocale === locale ? undefined : academy.shownLocale;
  return (
    <>
      <Head title={academy.title} description={academy.description} />
      <header className="border-b border-line">
        <div className="page grid items-center gap-x-16 gap-y-8 py-8 lg:grid-cols-[minmax(0,1fr)_25rem] lg:py-14">
          <div>
            <p className="eyebrow">
              <Link to="/academies" className="link inline-block py-1">
                {t('learning.academy')}
              </Link>
            </p>
            <h1 className="mt-2 text-4xl sm:text-5xl lg:text-6xl" lang={lang} dir={lang ? 'auto' : undefined}>
              {academy.title}
            </h1>
            <p
              className="mt-4 max-w-2xl text-lg text-muted md:text-xl md:leading-relaxed"
              lang={lang}
              dir={lang ? 'auto' : undefined}
            >
              {academy.description}
            </p>
            <p className="mt-5 flex flex-wrap gap-x-5 gap-y-1 text-muted">
              <span>
                {t('learning.courses_and_time', { count: academy.courses.length, time: duration(academy.minutes) })}
              </span>
              {academy.members > 0 ? <span>{t('learning.members', { count: academy.members })}</span> : null}
            </p>
            <TopicLinks topics={academy.topics} />
            <Membership isMember={academy.isMember} canJoin={academy.canJoin} title={academy.title} />
          </div>
          <div className="aspect-video overflow-hidden rounded max-lg:order-first max-lg:max-h-52 max-lg:w-full">
            <Cover slug={academy.slug} src={academy.cover?.url} alt={academy.cover?.alt} />
          </div>
        </div>
      </header>
      <section aria-labelledby="courses" className="page py-10 md:py-14">
        <h2 id="courses" className="mb-3 text-3xl">
          {t('common.courses')}
        </h2>
        {academy.courses.length === 0 ? (
          <EmptyState title={t('learning.no_courses')}>{t('learning.no_courses_text')}</EmptyState>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {academy.courses.map((course) => (
              <CourseRow key={course.slug} course={{ ...course, academies: [] }} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Membership({ isMember, canJoin, title }: { isMember: boolean; canJoin: boolean; title: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  if (isMember) {
    return (
      <p className="mt-5 flex items-center gap-2 text-success">
        <Icon as={CircleCheck} />
        {t('learning.academy_member')}
      </p>
    );
  }
  if (!canJoin) return null;
  return (
    <SmartForm className="mt-6">
      <Button isBusy={isSubmitting}>{t('learning.join_named', { title })}</Button>
    </SmartForm>
  );
}
