import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { listEditorials } from '@officium/contract/editorials';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/hubs.page';
import { LearnTabs } from './learn-tabs.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  return api(listEditorials, { params: { kind: 'hubs' }, query: { locale, limit: '100' } });
}

export default function Hubs({ loaderData: { editorials } }: Route.ComponentProps) {
  const { t, locale } = useText();
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('hub.hubs')} description={t('hub.hubs_lead')} />
      <h1 className="text-4xl md:text-5xl">{t('hub.hubs')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-lg text-muted">{t('hub.hubs_lead')}</p>
      <LearnTabs current="hubs" />
      {editorials.length === 0 ? (
        <div className="mt-10">
          <EmptyState title={t('hub.hubs_none')}>{t('hub.hubs_none_text')}</EmptyState>
        </div>
      ) : (
        <ul className="mt-10 grid gap-x-12 gap-y-12 md:grid-cols-2">
          {editorials.map((hub) => {
            const lang = hub.shownLocale === locale ? undefined : hub.shownLocale;
            return (
              <li key={hub.slug} className="relative">
                <div className="aspect-[21/9] overflow-hidden rounded">
                  <Cover slug={hub.slug} src={hub.cover?.url} alt={hub.cover?.alt} />
                </div>
                <h2 className="mt-4 text-3xl" lang={lang} dir={lang ? 'auto' : undefined}>
                  <Link to={`/hubs/${hub.slug}`} className="title-link stretched">
                    {hub.title}
                  </Link>
                </h2>
                <p className="mt-2 text-lg text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
                  {hub.summary}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      <ul className="mt-14 flex flex-wrap gap-x-8 gap-y-2 border-t-2 border-ink pt-5">
        {(['questions', 'solutions'] as const).map((page) => (
          <li key={page}>
            <Link to={`/${page}`} className="link inline-flex items-center gap-1 py-1.5">
              {t(`hub.${page}_all`)}
              <Icon as={ArrowRight} size={16} directional />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
