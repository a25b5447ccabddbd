import {
  type EventSession,
  listSessionRegistrations,
  readEvent,
  setAttendance,
  updateSession,
} from '@officium/contract/events';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/event-registrations.page';
import { shownSession } from './event-session.ts';

type Registration = ReplyOf<typeof listSessionRegistrations>['registrations'][number];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url);
  const event = await api(readEvent, { params, query: { locale } });
  const session = shownSession(event.sessions, url);
  const query = { limit: String(limit), offset: String(offset) };
  const { registrations, total } = session
    ? await api(listSessionRegistrations, { params: { id: session.id }, query })
    : { registrations: [], total: 0 };
  return {
    title: event.title,
    slug: event.slug,
    dates: event.sessions.map((each) => ({ ...each, to: addressOf({ session: each.id }) })),
    session: session ?? null,
    registrations,
    page,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: page * limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const id = textOf(fields, 'session');
  const here = `/admin/events/${encodeURIComponent(params.slug)}?session=${encodeURIComponent(id)}`;
  if (fields.has('user')) {
    const call = {
      params: { id, userId: textOf(fields, 'user') },
      body: { attended: fields.get('attended') === 'yes' },
    };
    const marked = await attempt(setAttendance, call);
    return marked.ok ? redirectWith(here, { key: 'admin.events_saved' }) : marked.refusal;
  }
  const body = fields.has('cancelled')
    ? { cancelled: fields.get('cancelled') === 'yes' }
    : { recording: textOf(fields, 'recording').trim() || null };
  const saved = await attempt(updateSession, { params: { id }, body });
  return saved.ok ? redirectWith(here, { key: 'admin.events_saved' }) : saved.refusal;
}

export default function EventRegistrations({ loaderData }: Route.ComponentProps) {
  const { title, slug, dates, session, registrations, page, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns(session?.id ?? '');
  return (
    <>
      <Head title={`${t('admin.events_registrations')} · ${title}`} isPrivate />
      <h1 className="text-3xl md:text-4xl">{t('admin.events_registrations')}</h1>
      <p className="mt-1 mb-6">
        <Link to={`/events/${slug}`} className="link inline-block py-1" dir="auto">
          {title}
        </Link>
      </p>
      {dates.length > 1 ? <Dates dates={dates} shown={session?.id} /> : null}
      {session ? <Session session={session} /> : null}
      <div className="mt-8 mb-2 flex flex-wrap justify-end">
        <a
          href={`/admin/events/${slug}/csv${session ? `?session=${session.id}` : ''}`}
          className="link inline-flex min-h-11 items-center"
        >
          {t('admin.table_csv')}
        </a>
      </div>
      {registrations.length > 0 ? (
        <DataTable
          caption={t('admin.events_registrations')}
          columns={columns}
          rows={registrations}
          keyOf={({ userId }) => userId}
        />
      ) : (
        <p className="py-4 text-muted">{t('admin.events_none')}</p>
      )}
      <Pagination page={page} previous={previous} next={next} />
    </>
  );
}

function Dates({ dates, shown }: { dates: (EventSession & { to: string })[]; shown: string | undefined }) {
  const { t } = useText();
  return (
    <nav aria-label={t('events.dates')} className="mb-4">
      <ul className="flex flex-wrap gap-x-6">
        {dates.map(({ id, to, startsAt, isCancelled }) => (
          <li key={id}>
            <Link
              to={to}
              preventScrollReset
              aria-current={id === shown ? 'page' : undefined}
              className={`here inline-flex min-h-11 items-center aria-[current]:font-semibold ${isCancelled ? 'line-through' : ''}`}
            >
              <Time value={startsAt} look="exact" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The date with its state, its recording, and its cancellation. */
function Session({
  session: { id, startsAt, isCancelled, capacity, taken, waiting, recording },
}: {
  session: EventSession;
}) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('cancelled');
  return (
    <section aria-labelledby="date" className="card p-5">
      <h2 id="date" className="text-xl">
        <Time value={startsAt} look="exact" />
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        {isCancelled ? <Tag look="danger">{t('events.cancelled')}</Tag> : null}
        {capacity === null ? null : <span>{t('events.seats_left', { count: Math.max(capacity - taken, 0) })}</span>}
        <span>{t('events.waiting_count', { count: waiting })}</span>
      </p>
      <SmartForm intent="recording" className="mt-4 flex flex-wrap items-end gap-3">
        <input type="hidden" name="session" value={id} />
        <Field
          name="recording"
          type="url"
          label={t('admin.content_field_recording')}
          hint={t('admin.content_recording_hint')}
          defaultValue={recording ?? ''}
          dir="ltr"
          autoComplete="off"
          className="min-w-0 flex-1 basis-72"
        />
        <Button look="secondary">{t('common.save')}</Button>
      </SmartForm>
      <SmartForm intent="cancelled" className="mt-4">
        <input type="hidden" name="session" value={id} />
        <input type="hidden" name="cancelled" value={isCancelled ? 'no' : 'yes'} />
        <Button look={isCancelled ? 'secondary' : 'danger'} isBusy={isSubmitting}>
          {t(isCancelled ? 'admin.events_restore' : 'admin.events_cancel')}
        </Button>
      </SmartForm>
    </section>
  );
}

function useColumns(session: string): Column<Registration>[] {
  const { t } = useText();
  return [
    { name: 'name', label: t('people.name'), isHeading: true, cell: ({ name }) => <span dir="auto">{name}</span> },
    { name: 'email', label: t('auth.email'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      name: 'status',
      label: t('admin.people_state'),
      cell: ({ status }) => t(status === 'seat' ? 'admin.events_seat' : 'admin.events_waiting'),
    },
    {
      name: 'registered',
      label: t('admin.events_registered'),
      cell: ({ registeredAt }) => <Time value={registeredAt} look="date" />,
    },
    {
      name: 'attended',
      label: t('admin.events_attended'),
      cell: (registration) =>
        registration.status === 'seat' ? <Attendance {...registration} session={session} /> : null,
    },
  ];
}

function Attendance({ userId, name, attendedAt, session }: Registration & { session: string }) {
  const { t } = useText();
  return (
    <SmartForm intent={`attendance-${userId}`}>
      <input type="hidden" name="session" value={session} />
      <input type="hidden" name="user" value={userId} />
      <input type="hidden" name="attended" value={attendedAt ? 'no' : 'yes'} />
      <Button look="secondary" small>
        {t(attendedAt ? 'admin.events_unmark' : 'admin.events_mark')}
        <span className="sr-only"> {name}</span>
      </Button>
    </SmartForm>
  );
}
