import { Link } from 'react-router';
import { listNotifications, readAllNotifications } from '@officium/contract/notifications';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { useInboxCount } from '../../ui/bell.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/inbox.page';
import { byDay, type Day } from './days.ts';
import { Entry } from './entry.tsx';

const PAGE_SIZE = 20;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = pageNumberOf(url);
  const query = { limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE), locale };
  return { ...(await api(listNotifications, { query })), page };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const done = await attempt(readAllNotifications);
  return done.ok ? redirectWith('/notifications', { key: 'notification.all_read' }) : done.refusal;
}

export default function Inbox({ loaderData }: Route.ComponentProps) {
  const { notifications, unread, more, page } = loaderData;
  const { t, timeZone } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <div className="page max-w-read py-10 md:py-14">
      <Head title={t('notification.title')} isPrivate />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h1 className="min-w-0 text-4xl hyphens-auto">{t('notification.title')}</h1>
        <Link to="/me/settings/notifications" className="link inline-flex min-h-11 items-center">
          {t('notification.choose')}
        </Link>
      </div>
      {unread > 0 ? (
        <SmartForm className="mt-4">
          <Button look="secondary" isBusy={isSubmitting}>
            {t('notification.read_all')}
          </Button>
        </SmartForm>
      ) : null}
      <Newer shown={unread} page={page} />
      {notifications.length ? (
        byDay(notifications, timeZone, new Date()).map((day) => (
          <section key={day.date} className="mt-8" aria-labelledby={`day-${day.date}`}>
            <DayTitle day={day} />
            <ul className="mt-2 divide-y divide-line border-y border-line">
              {day.items.map((notification) => (
                <Entry key={notification.id} notification={notification} />
              ))}
            </ul>
          </section>
        ))
      ) : (
        <div className="mt-8">
          <EmptyState
            title={t('notification.none')}
            action={<LinkButton to="/communities">{t('notification.none_action')}</LinkButton>}
          >
            {t('notification.none_text')}
          </EmptyState>
        </div>
      )}
      <Pagination
        page={page}
        previous={page > 1 ? (page > 2 ? `?page=${page - 1}` : '/notifications') : undefined}
        next={more ? `?page=${page + 1}` : undefined}
      />
    </div>
  );
}

function DayTitle({ day: { date, ago, items } }: { day: Day<{ createdAt: string }> }) {
  const text = useText();
  const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  // Midnight may pass between server render and hydration.
  return (
    <h2 id={`day-${date}`} className="text-xl first-letter:uppercase">
      <time dateTime={date} suppressHydrationWarning>
        {ago < 2 ? text.relative(-ago, 'day') : text.date(items[0]?.createdAt ?? date, long)}
      </time>
    </h2>
  );
}

/** Notifications that arrived after the page was loaded: shown on request, not while the viewer reads. */
function Newer({ shown, page }: { shown: number; page: number }) {
  const { t } = useText();
  const unread = useInboxCount();
  if (page > 1 || unread <= shown) return null;
  return (
    <p className="mt-6 text-center">
      <LinkButton to="/notifications" look="marigold" small>
        {t('notification.newer', { count: unread - shown })}
      </LinkButton>
    </p>
  );
}
