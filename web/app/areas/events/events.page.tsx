import { listEvents } from '@officium/contract/events';
import { pageNumberOf } from '../../form/page-number.ts';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Route } from './+types/events.page';
import { EventRows } from './event-rows.tsx';

const PAGE_SIZE = 20;
/** The API pages no further. */
const LAST_PAGE = 500;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer, locale, url } = await load(request, context);
  const when = url.searchParams.get('when') === 'past' ? ('past' as const) : ('upcoming' as const);
  const page = Math.min(pageNumberOf(url), LAST_PAGE);
  const query = { when, locale, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) };
  return { ...(await api(listEvents, { query })), when, page, isSignedIn: viewer !== null };
}

export default function Events({ loaderData: { events, total, when, page, isSignedIn } }: Route.ComponentProps) {
  const { t } = useText();
  const start = when === 'past' ? '/events?when=past' : '/events';
  const addressOf = (to: number) => (to > 1 ? `${start}${when === 'past' ? '&' : '?'}page=${to}` : start);
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('events.title')} description={t('events.lead')} />
      <h1 className="text-4xl md:text-5xl">{t('events.title')}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-lg text-muted">{t('events.lead')}</p>
      <Tabs
        label={t('events.title')}
        tabs={[
          { to: '/events', label: t('events.upcoming'), isCurrent: when === 'upcoming' },
          { to: '/events?when=past', label: t('events.past'), isCurrent: when === 'past' },
          ...(isSignedIn ? [{ to: '/me/events', label: t('events.my_events'), isCurrent: false }] : []),
        ]}
      />
      <div className="mt-8 max-w-3xl">
        {events.length > 0 ? (
          <EventRows events={events} />
        ) : (
          <EmptyState title={t(when === 'past' ? 'events.none_past' : 'events.none')}>
            {t('events.none_text')}
          </EmptyState>
        )}
      </div>
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(page - 1) : undefined}
        next={page * PAGE_SIZE < total ? addressOf(page + 1) : undefined}
      />
    </div>
  );
}
