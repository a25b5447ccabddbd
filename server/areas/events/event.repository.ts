import { type ExpressionBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { type Db, NOW, runPrepared } from '#server/db/client.ts';
import type { DB, Events } from '#server/db/schema.ts';
import type { EventRow, EventSessionRow } from './event.rows.ts';
import { eventColumns, type EventTexts, isGranted, isOneOf, seatsOf, sessionColumns } from './event.sql.ts';

/** Published events `v` with their editorial `e`, product `p` and cover `f`. */
const publishedEvents = (db: Db) =>
  db
    .selectFrom('events as v')
    .innerJoin('editorials as e', 'e.id', 'v.id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'e.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'e.id')
    .leftJoin('content_assets as f', 'f.path', 'e.cover');

export type EventList = {
  userId: string;
  /** Scopes that are open to the viewer without a grant. */
  scopes: Scope[];
  isPast: boolean;
  community: string | undefined;
  limit: number;
  offset: number;
};

export type ListedEvent = EventRow & { session: EventSessionRow; sessions: number; total: number };

/** The next session of event `v`, else the last one, with the number of all that were not cancelled. */
function nextSession(eb: ExpressionBuilder<DB & { v: Events }, 'v'>) {
  return eb
    .selectFrom('event_sessions as s')
    .select((session) => [
      's.id',
      's.starts_at',
      session('s.ends_at', '>', NOW).$castTo<boolean>().as('is_upcoming'),
      session
        .selectFrom('event_sessions as a')
        .select(sql<number>`count(*)::int`.as('sessions'))
        .whereRef('a.event_id', '=', 'v.id')
        .where('a.cancelled_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('sessions'),
    ])
    .whereRef('s.event_id', '=', 'v.id')
    .orderBy((by) => by.and([by('s.ends_at', '>', NOW), by('s.cancelled_at', 'is', null)]), 'desc')
    .orderBy((by) => by('s.ends_at', '>', NOW), 'desc')
    .orderBy((by) => by.case().when('s.ends_at', '>', NOW).then(by.ref('s.starts_at')).end())
    .orderBy('s.starts_at', 'desc')
    .limit(1)
    .as('next');
}

/** A page of visible events with their next session, else the last one. */
export async function findEvents(
  db: Db,
  { userId, scopes, isPast, community, limit, offset }: EventList,
): Promise<{ rows: ListedEvent[]; total: number }> {
  const direction = isPast ? 'desc' : 'asc';
  const rows = await db
    .with(
      (cte) => cte('listed').materialized(),
      () => {
        const events = publishedEvents(db)
          .innerJoinLateral(nextSession, (join) => join.onTrue())
          .select([
            'v.id',
            'next.id as session_id',
            'next.starts_at',
            'next.sessions',
            sql<number>`(count(*) over ())::int`.as('total'),
          ])
          .where('next.is_upcoming', '=', !isPast)
          .where(({ or, ref }) =>
            or([
              isOneOf(ref('p.can_view'), scopes),
              sql<boolean>`(${scopes.length > 1} and ${isGranted(userId, ref('e.id'))})`,
            ]),
          )
          .orderBy('next.starts_at', direction)
          .orderBy('v.id')
          .limit(limit)
          .offset(offset);
        if (community === undefined) return events;
        return events.where('v.community_id', '=', (eb) =>
          eb.selectFrom('communities').select('id').where('slug', '=', community),
        );
      },
    )
    .selectFrom('listed')
    .innerJoin('events as v', 'v.id', 'listed.id')
    .innerJoin('editorials as e', 'e.id', 'v.id')
    .innerJoin('event_sessions as s', 's.id', 'listed.session_id')
    .leftJoin('products as p', 'p.entry_id', 'e.id')
    .leftJoin('content_assets as f', 'f.path', 'e.cover')
    .leftJoin('event_registrations as r', (join) =>
      join.onRef('r.session_id', '=', 's.id').on('r.user_id', '=', userId),
    )
    .innerJoinLateral(seatsOf, (join) => join.onTrue())
    .select(sessionColumns)
    .select((eb) => eventColumns(eb, userId))
    .select(['s.id as session_id', 'listed.sessions', 'listed.total'])
    .orderBy('listed.starts_at', direction)
    .orderBy('v.id')
    .$narrowType<EventTexts>()
    .execute();
  const total = rows[0]?.total ?? 0;
  return { rows: rows.map((row) => ({ ...row, session: { ...row, id: row.session_id } })), total };
}

/** Whether a community has any event, whoever may see it. The page of every community asks. */
export async function hasEvents(db: Db, community: string): Promise<boolean> {
  const query = db
    .selectFrom('events as v')
    .innerJoin('communities as c', 'c.id', 'v.community_id')
    .select('v.id')
    .where('c.slug', '=', community)
    .limit(1);
  return (await runPrepared(db, query)).length > 0;
}

/** A published event by slug or by one of its sessions, whoever may see it. */
export async function getEvent(
  db: Db,
  { userId, slug, session }: { userId: string; slug?: string; session?: string },
): Promise<EventRow | undefined> {
  const events = publishedEvents(db)
    .select((eb) => eventColumns(eb, userId))
    .$narrowType<EventTexts>();
  const named =
    session === undefined
      ? events.where('e.slug', '=', slug ?? '')
      : events.where('v.id', '=', (eb) => eb.selectFrom('event_sessions').select('event_id').where('id', '=', session));
  return await named.executeTakeFirst();
}

/** Sessions `s` of events `v`, with the registration of a person and the seats. */
const sessionsOf = (db: Db, userId: string) =>
  db
    .selectFrom('events as v')
    .innerJoin('event_sessions as s', 's.event_id', 'v.id')
    .leftJoin('event_registrations as r', (join) =>
      join.onRef('r.session_id', '=', 's.id').on('r.user_id', '=', userId),
    )
    .innerJoinLateral(seatsOf, (join) => join.onTrue());

/** The sessions of an event, in order. */
export async function findSessions(db: Db, eventId: string, userId: string): Promise<EventSessionRow[]> {
  return await sessionsOf(db, userId)
    .select(sessionColumns)
    .where('v.id', '=', eventId)
    .orderBy('s.starts_at')
    .orderBy('s.id')
    .execute();
}

export type OwnSession = EventSessionRow & Pick<EventRow, 'slug' | 'title' | 'summary'>;

type Owner = {
  userId: string;
  /** Scopes that are open to the person without a grant. */
  scopes: Scope[];
};

/** Sessions a person registered for, of events that they may still see. */
function ownSessions(db: Db, { userId, scopes }: Owner) {
  return db
    .selectFrom('event_registrations as own')
    .innerJoin('event_sessions as s', 's.id', 'own.session_id')
    .innerJoin('events as v', 'v.id', 's.event_id')
    .innerJoin('editorials as e', 'e.id', 'v.id')
    .innerJoin('entries as x', (join) => join.onRef('x.id', '=', 'e.id').on('x.status', '=', 'published'))
    .leftJoin('products as p', 'p.entry_id', 'e.id')
    .leftJoin('event_registrations as r', (join) =>
      join.onRef('r.session_id', '=', 's.id').on('r.user_id', '=', userId),
    )
    .innerJoinLateral(seatsOf, (join) => join.onTrue())
    .select(sessionColumns)
    .select(['e.slug', 'e.title', 'e.summary', sql<number>`(count(*) over ())::int`.as('total')])
    .where('own.user_id', '=', userId)
    .where(({ or, ref }) => or([isOneOf(ref('p.can_view'), scopes), isGranted(userId, ref('e.id'))]))
    .$narrowType<Pick<EventTexts, 'title' | 'summary'>>();
}

export async function findOwnSessions(
  db: Db,
  { isPast, limit, offset, ...owner }: Owner & { isPast: boolean; limit: number; offset: number },
): Promise<{ rows: OwnSession[]; total: number }> {
  const rows = await ownSessions(db, owner)
    .where('s.ends_at', isPast ? '<=' : '>', NOW)
    .orderBy('s.starts_at', isPast ? 'desc' : 'asc')
    .orderBy('s.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: rows[0]?.total ?? 0 };
}

const FEED_DAYS = 90;
const MAX_FEED = 500;

/** The sessions in a person's calendar feed: seats, also in cancelled sessions, so that calendars remove them. */
export async function findFeedSessions(db: Db, owner: Owner): Promise<OwnSession[]> {
  return await ownSessions(db, owner)
    .where('own.status', '=', 'seat')
    .where('s.ends_at', '>', sql<Date>`now() - make_interval(days => ${FEED_DAYS})`)
    .orderBy('s.starts_at', 'desc')
    .orderBy('s.id')
    .limit(MAX_FEED)
    .execute();
}
