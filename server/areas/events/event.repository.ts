// Raw SQL: scopes, counts of seats and the next session are joined in one statement each.
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import type { EventRow, EventSessionRow } from './event.rows.ts';

const EVENT = (userId: string) => sql`
  e.id, e.slug, e.title, e.summary, f.key as cover_key, e.cover_alt, e.human_translation,
  coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
  is_granted(${userId}, e.id) as is_granted,
  coalesce((select jsonb_agg(b.locale order by b.locale) from bodies b where b.editorial_id = e.id), '[]') as locales,
  (select jsonb_build_object('slug', y.slug, 'title', y.title) from communities y where y.id = v.community_id) as community,
  (select jsonb_build_object('slug', c.slug, 'title', c.title) from courses c where c.id = v.course_id) as course`;

const FROM_EVENTS = sql`
  from events v join editorials e on e.id = v.id
  join entries x on x.id = e.id and x.status = 'published'
  left join products p on p.entry_id = e.id
  left join content_assets f on f.path = e.cover`;

/** The columns of session `s` of event `v`, with the registration of a person as `r`. */
const SESSION = sql`
  s.id, s.event_id, s.starts_at, s.ends_at, v.time_zone, coalesce(s.place, v.place) as place, coalesce(s.link, v.link) as link,
  coalesce(s.recording, v.recording) as recording, coalesce(s.capacity, v.capacity) as capacity,
  s.cancelled_at is not null as is_cancelled, s.ends_at <= now() as is_over, s.sequence, s.changed_at,
  n.taken, n.waiting, r.status,
  case when r.status = 'waiting' then (select count(*)::int from event_registrations w where w.session_id = s.id
    and w.status = 'waiting' and (w.created_at, w.user_id) <= (r.created_at, r.user_id)) end as waiting_place`;

const withSeats = (userId: string) => sql`
  left join event_registrations r on r.session_id = s.id and r.user_id = ${userId}
  cross join lateral (select count(*) filter (where c.status = 'seat')::int as taken,
    count(*) filter (where c.status = 'waiting')::int as waiting
    from event_registrations c where c.session_id = s.id) n`;

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

/** A page of visible events with their next session, else the last one. */
export async function findEvents(
  db: Db,
  { userId, scopes, isPast, community, limit, offset }: EventList,
): Promise<{ rows: ListedEvent[]; total: number }> {
  const ofCommunity =
    community === undefined ? sql`true` : sql`v.community_id = (select id from communities where slug = ${community})`;
  const order = isPast ? sql`desc` : sql`asc`;
  const { rows } = await sql<EventRow & EventSessionRow & { session_id: string; sessions: number; total: number }>`
    with listed as materialized (
      select v.id, next.id as session_id, next.starts_at, next.sessions, count(*) over ()::int as total
      ${FROM_EVENTS}
      cross join lateral (
        select s.id, s.starts_at, s.ends_at > now() as is_upcoming,
          (select count(*)::int from event_sessions a where a.event_id = v.id and a.cancelled_at is null) as sessions
        from event_sessions s where s.event_id = v.id
        order by s.ends_at > now() and s.cancelled_at is null desc, s.ends_at > now() desc,
          case when s.ends_at > now() then s.starts_at end, s.starts_at desc
        limit 1) next
      where next.is_upcoming = ${!isPast} and ${ofCommunity}
        and (coalesce(p.can_view, 'private') = any(${scopes}::text[]) or ${scopes.length > 1} and is_granted(${userId}, e.id))
      order by next.starts_at ${order}, v.id limit ${limit} offset ${offset})
    select ${EVENT(userId)}, ${SESSION}, s.id as session_id, e.id, listed.sessions, listed.total
    ${FROM_EVENTS} join listed on listed.id = v.id join event_sessions s on s.id = listed.session_id ${withSeats(userId)}
    order by listed.starts_at ${order}, v.id`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { rows: rows.map((row) => ({ ...row, session: { ...row, id: row.session_id } })), total };
}

/** A published event by slug or by one of its sessions, whoever may see it. */
export async function getEvent(
  db: Db,
  { userId, slug, session }: { userId: string; slug?: string; session?: string },
): Promise<EventRow | undefined> {
  const named =
    session === undefined
      ? sql`e.slug = ${slug}`
      : sql`v.id = (select s.event_id from event_sessions s where s.id = ${session})`;
  const { rows } = await sql<EventRow>`select ${EVENT(userId)} ${FROM_EVENTS} where ${named}`.execute(db);
  return rows[0];
}

/** The sessions of an event, in order. */
export async function findSessions(db: Db, eventId: string, userId: string): Promise<EventSessionRow[]> {
  const { rows } = await sql<EventSessionRow>`
    select ${SESSION} from events v join event_sessions s on s.event_id = v.id ${withSeats(userId)}
    where v.id = ${eventId} order by s.starts_at, s.id`.execute(db);
  return rows;
}

export type OwnSession = EventSessionRow & Pick<EventRow, 'slug' | 'title' | 'summary'>;

type Owner = {
  userId: string;
  /** Scopes that are open to the person without a grant. */
  scopes: Scope[];
};

/** Sessions a person registered for, of events that they may still see. */
async function ownSessions(
  db: Db,
  { userId, scopes }: Owner,
  { where, order, page }: { where: RawBuilder<unknown>; order: RawBuilder<unknown>; page: RawBuilder<unknown> },
): Promise<(OwnSession & { total: number })[]> {
  const { rows } = await sql<OwnSession & { total: number }>`
    select ${SESSION}, e.slug, e.title, e.summary, count(*) over ()::int as total
    from event_registrations own join event_sessions s on s.id = own.session_id join events v on v.id = s.event_id
    join editorials e on e.id = v.id join entries x on x.id = e.id and x.status = 'published'
    left join products p on p.entry_id = e.id ${withSeats(userId)}
    where own.user_id = ${userId} and (coalesce(p.can_view, 'private') = any(${scopes}::text[]) or is_granted(${userId}, e.id))
      and ${where} order by s.starts_at ${order}, s.id ${page}`.execute(db);
  return rows;
}

export async function findOwnSessions(
  db: Db,
  { isPast, limit, offset, ...owner }: Owner & { isPast: boolean; limit: number; offset: number },
): Promise<{ rows: OwnSession[]; total: number }> {
  const rows = await ownSessions(db, owner, {
    where: isPast ? sql`s.ends_at <= now()` : sql`s.ends_at > now()`,
    order: isPast ? sql`desc` : sql`asc`,
    page: sql`limit ${limit} offset ${offset}`,
  });
  return { rows, total: rows[0]?.total ?? 0 };
}

const FEED_DAYS = 90;
const MAX_FEED = 500;

/** The sessions in a person's calendar feed: seats, also in cancelled sessions, so that calendars remove them. */
export async function findFeedSessions(db: Db, owner: Owner): Promise<OwnSession[]> {
  return await ownSessions(db, owner, {
    where: sql`own.status = 'seat' and s.ends_at > now() - make_interval(days => ${FEED_DAYS})`,
    order: sql`desc`,
    page: sql`limit ${MAX_FEED}`,
  });
}
