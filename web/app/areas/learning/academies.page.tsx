import { Link } from 'react-router';
import { listAcademies } from '@officium/contract/content';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/academies.page';
import { useDuration } from '../../ui/duration.tsx';
import { LearnTabs } from './learn-tabs.tsx';
import { TopicLinks } from './topic-links.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return api(listAcademies, { query: { locale } });
}

export default function Academies({ loaderData: { academies } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const duration = useDuration();
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('learning.academies')} description={t('learning.academies_lead')} />
      <h1 className="text-4xl md:text-5xl">{t('learning.academies')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-lg text-muted">{t('learning.academies_lead')}</p>
      <LearnTabs current="academies" />
      {academies.length === 0 ? (
        <div className="mt-10">
          <EmptyState title={t('learning.no_academies')}>{t('learning.no_academies_text')}</EmptyState>
        </div>
      ) : (
        <ul className="mt-10 grid gap-x-12 gap-y-12 md:grid-cols-2">
          {academies.map((academy) => {
            const lang = academy.shownLocale === locale ? undefined : academy.shownLocale;
            return (
              <li key={academy.slug} className="relative">
                <div className="aspect-[21/9] overflow-hidden rounded">
                  <Cover slug={academy.slug} src={academy.cover?.url} alt={academy.cover?.alt} />
                </div>
                <h2 className="mt-4 text-3xl" lang={lang} dir={lang ? 'auto' : undefined}>
                  <Link to={`/academies/${academy.slug}`} className="title-link stretched">
                    {academy.title}
                  </Link>
                </h2>
                <p className="mt-2 text-lg text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
                  {academy.description}
                </p>
                <p className="mt-3 text-sm text-muted">
                  {t('learning.courses_and_time', { count: academy.courses, time: duration(academy.minutes) })}
                </p>
                <TopicLinks topics={academy.topics} />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
