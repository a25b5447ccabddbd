import { Link, useRouteLoaderData } from 'react-router';
import { CircleCheck } from 'lucide-react';
import { readMicrocourse } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { completeMicrocourse } from '@officium/contract/learner';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useViewerId } from '../../offline/offline.ts';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd, useOrganization } from '../../ui/json-ld.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BlockText } from '../../ui/block-text.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/microcourse.page';
import { chosenLanguage } from './languages.ts';
import { durationOf } from './learner.ts';
import { ReadIn, ShownInstead } from './read-in.tsx';
import { TopicLinks } from './topic-links.tsx';

type Microcourse = ReplyOf<typeof readMicrocourse>;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const wanted = chosenLanguage(url) ?? locale;
  return { microcourse: await api(readMicrocourse, { params, query: { locale: wanted } }), wanted };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, url } = await act(request, context);
  const done = await attempt(completeMicrocourse, { params });
  return done.ok ? redirectWith(url.pathname + url.search, { key: 'learning.microcourse_done' }) : done.refusal;
}

export default function MicrocoursePage({ loaderData: { microcourse, wanted } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const path = `/microcourses/en/${microcourse.slug}`;
  const titleLang = microcourse.shownLocale === locale ? undefined : microcourse.shownLocale;
  return (
    <article className="page py-8 md:py-12">
      <Head title={microcourse.title} description={microcourse.summary} type="article" />
      <Facts microcourse={microcourse} />
      <div className="mx-auto max-w-read">
        <div className="no-print mb-7 aspect-[21/6] overflow-hidden rounded">
          <Cover slug={microcourse.slug} src={microcourse.cover?.url} alt={microcourse.cover?.alt} />
        </div>
        <header className="border-b border-line pb-5">
          <p className="eyebrow">
            <Link to="/courses" className="link inline-block py-1">
              {t('learning.microcourse')}
            </Link>
          </p>
          <h1 className="mt-1 text-4xl sm:text-5xl" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
            {microcourse.title}
          </h1>
          <p className="mt-3 text-lg text-muted" lang={titleLang} dir={titleLang ? 'auto' : undefined}>
            {microcourse.summary}
          </p>
          <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 text-muted">
            <span>{t('common.minutes', { count: microcourse.minutes })}</span>
            <ReadIn locales={microcourse.locales} shown={microcourse.bodyLocale} path={path} />
          </div>
          {microcourse.humanTranslation || microcourse.locales.length < 2 ? null : (
            <p className="mt-3 text-sm text-muted">{t('learning.machine_text')}</p>
          )}
          <TopicLinks topics={microcourse.topics} />
        </header>
        {microcourse.bodyLocale === wanted ? null : (
          <div className="mt-6">
            <ShownInstead shown={microcourse.bodyLocale} wanted={wanted} />
          </div>
        )}
        <div className="pt-8 font-serif [&_table]:font-sans [&_table]:text-base">
          <BlockText
            html={microcourse.html}
            lang={microcourse.bodyLocale === locale ? undefined : microcourse.bodyLocale}
          />
        </div>
        <Completion completedAt={microcourse.completedAt} />
        <p className="no-print mt-8">
          <Link to="/courses#microcourses" className="link">
            {t('learning.microcourses_more')}
          </Link>
        </p>
      </div>
    </article>
  );
}

/** https://schema.org/LearningResource */
function Facts({ microcourse }: { microcourse: Microcourse }) {
  const origin = useRouteLoaderData<RootData>('root')?.origin ?? '';
  const provider = useOrganization();
  return (
    <JsonLd
      data={{
        '@type': 'LearningResource',
        name: microcourse.title,
        description: microcourse.summary,
        url: `${origin}/microcourses/en/${microcourse.slug}`,
        inLanguage: microcourse.bodyLocale,
        timeRequired: durationOf(microcourse.minutes),
        isAccessibleForFree: true,
        provider,
      }}
    />
  );
}

/** The end of the text: when the member completed it, or the button that completes it. */
function Completion({ completedAt }: { completedAt: string | null }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('complete');
  const person = useViewerId();
  if (!person) return <hr className="mt-12 border-t-2 border-ink" />;
  return (
    <div className="no-print mt-12 border-y-2 border-ink py-7">
      {completedAt ? (
        <p className="inline-flex items-center gap-2 text-success">
          <Icon as={CircleCheck} />
          <span>{rich('learning.microcourse_read_on', { date: <Time value={completedAt} look="date" /> })}</span>
        </p>
      ) : (
        <SmartForm intent="complete">
          <Button isBusy={isSubmitting} className="px-6 max-sm:w-full">
            <Icon as={CircleCheck} />
            {t('learning.microcourse_complete')}
          </Button>
        </SmartForm>
      )}
    </div>
  );
}
