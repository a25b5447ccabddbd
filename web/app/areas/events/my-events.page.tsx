import {
  createCalendarFeed,
  deleteCalendarFeed,
  listMySessions,
  readCalendarFeedState,
} from '@officium/contract/events';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useActionData } from 'react-router';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, RowList } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Route } from './+types/my-events.page';
import { State, Where } from './event-rows.tsx';
import { When } from '../../ui/when.tsx';

const HERE = '/me/events';
const PAGE_SIZE = 20;
const LAST_PAGE = 500;

type Own = ReplyOf<typeof listMySessions>['sessions'];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const when = url.searchParams.get('when') === 'past' ? ('past' as const) : ('upcoming' as const);
  const page = Math.min(pageNumberOf(url), LAST_PAGE);
  const query = { when, locale, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) };
  const [own, feed] = await Promise.all([api(listMySessions, { query }), api(readCalendarFeedState)]);
  return { ...own, when, page, feedSince: feed.createdAt };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'delete-feed') {
    const gone = await attempt(deleteCalendarFeed);
    return gone.ok ? redirectWith(HERE, { key: 'events.feed_deleted' }) : gone.refusal;
  }
  const made = await attempt(createCalendarFeed);
  // Shown in this reply only: an address in a redirect would stay in the history.
  return made.ok ? { feedUrl: made.body.url } : made.refusal;
}

export default function MyEvents({ loaderData: { sessions, total, when, page, feedSince } }: Route.ComponentProps) {
  const { t } = useText();
  const start = when === 'past' ? `${HERE}?when=past` : HERE;
  const addressOf = (to: number) => (to > 1 ? `${start}${when === 'past' ? '&' : '?'}page=${to}` : start);
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('events.my_events')} isPrivate />
      <h1 className="mb-5 text-4xl md:text-5xl">{t('events.my_events')}</h1>
      <Tabs
        label={t('events.my_events')}
        tabs={[
          { to: HERE, label: t('events.upcoming'), isCurrent: when === 'upcoming' },
          { to: `${HERE}?when=past`, label: t('events.past'), isCurrent: when === 'past' },
          { to: '/events', label: t('events.all'), isCurrent: false },
        ]}
      />
      <div className="mt-8 grid max-w-3xl gap-12">
        {sessions.length > 0 ? (
          <Sessions sessions={sessions} />
        ) : (
          <EmptyState title={t('events.my_none')}>{t('events.my_none_text')}</EmptyState>
        )}
        <FeedAddress since={feedSince} />
      </div>
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(page - 1) : undefined}
        next={page * PAGE_SIZE < total ? addressOf(page + 1) : undefined}
      />
    </div>
  );
}

function Sessions({ sessions }: { sessions: Own }) {
  const { locale } = useText();
  return (
    <RowList>
      {sessions.map(({ event, session }) => (
        <Row
          key={session.id}
          to={`/events/${event.slug}`}
          title={event.title}
          level={2}
          lang={event.shownLocale === locale ? undefined : event.shownLocale}
          kicker={<When {...session} />}
          meta={
            <>
              <Where session={session} />
              <State session={session} />
            </>
          }
        />
      ))}
    </RowList>
  );
}

function FeedAddress({ since }: { since: string | null }) {
  const { t, date } = useText();
  const made = useActionData<typeof action>();
  const { isSubmitting } = useSubmitting('feed');
  const url = made && 'feedUrl' in made ? made.feedUrl : undefined;
  return (
    <section aria-labelledby="feed">
      <h2 id="feed" className="text-2xl">
        {t('events.feed_title')}
      </h2>
      <p className="mt-1.5 text-muted">{t('events.feed_text')}</p>
      {url ? (
        <div role="status" className="mt-4 border-s-4 border-accent ps-4">
          <p>{t('events.feed_url')}</p>
          <code dir="ltr" className="mt-2 block wrap-anywhere select-all">
            {url}
          </code>
        </div>
      ) : since ? (
        <p className="mt-3" suppressHydrationWarning>
          {t('events.feed_since', { date: date(since) })}
        </p>
      ) : null}
      <div className="mt-4 flex flex-wrap gap-3">
        <SmartForm intent="feed">
          <Button look="secondary" isBusy={isSubmitting}>
            {t(since || url ? 'events.feed_replace' : 'events.feed_create')}
          </Button>
        </SmartForm>
        {since || url ? (
          <SmartForm intent="delete-feed">
            <Button look="danger">{t('events.feed_delete')}</Button>
          </SmartForm>
        ) : null}
      </div>
    </section>
  );
}
