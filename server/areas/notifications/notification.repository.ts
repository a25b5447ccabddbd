import { type InAppPace, type NotificationEvent, NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { isActivityIn } from '#server/areas/community/place.sql.ts';
import { localText, type Reader, readerSql, showsProfile } from '#server/areas/community/reader.sql.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { type Db, runPrepared } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';

/** What the reader may see, by id; journeys null: all. */
export type Sight = {
  communities: string[];
  discussions: string[];
  replies: string[];
  journeys: string[] | null;
  /** Where their session may go. */
  open: OpenSlugs;
};

export type NotificationRow = {
  id: string;
  event: NotificationEvent;
  actorId: string | null;
  actorName: string | null;
  actorThumbnail: string | null;
  count: number;
  title: string | null;
  place: string | null;
  page: Page;
  /** The element of the page to go to. */
  anchor: string | null;
  dueAt: Date | null;
  due: 'end' | 'due' | 'late' | null;
  updatedAt: Date;
  isRead: boolean;
};

/** Of each reader only so many are looked at, the newest. */
export const LOOKED_AT = 500;

const ACTOR = sql.raw(`u.id as "actorId", u.name as "actorName",
  case when ${showsProfile('u')} then u.image_thumbnail end as "actorThumbnail"`);
const NOBODY = sql`null::uuid as "actorId", null as "actorName", null as "actorThumbnail"`;
const HEAD = sql`n.id, n.event, n.updated_at as "updatedAt", n.read_at is not null as "isRead"`;

/** Of a reply or a mention in a reply: the reaction to go to, who wrote it last and how many people did. */
const LATEST = sql`(array_agg(r.id order by r.id desc))[1] as id, (array_agg(r.user_id order by r.id desc))[1] as user_id,
  count(distinct r.user_id)::int as count`;
const REPLIES = sql`r.kind = 'reply' and r.deleted_at is null and r.id >= n.since_id and r.user_id <> n.user_id
  and not n.user_id = any(r.mentioned)`;
const SAID = sql`(
  select ${LATEST} from reactions r
  where n.event = 'reply' and n.object_id = n.activity_id
    and r.activity_id = n.activity_id and r.parent_id is null and ${REPLIES}
  union all
  select ${LATEST} from reactions r
  where n.event = 'reply' and n.object_id <> n.activity_id and r.parent_id = n.object_id and ${REPLIES}
  union all
  select r.id, r.user_id, 1 from reactions r
  where n.event = 'mention' and r.id = n.object_id and r.deleted_at is null and n.user_id = any(r.mentioned)
  union all
  select null, a.author_id, 1 where n.event = 'mention' and n.object_id = a.id and n.user_id = any(a.mentioned)
  union all
  select null, null, 1 where n.event = 'poll_outcome')`;

/** About what is said: in communities, under lessons and on profiles. */
function ofActivities({ discussions, replies, journeys }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${ACTOR}, said.count,
      ${sql.raw(`coalesce(a.title, ${localText('l.title', `'en'`)}, ${localText('c.title', 'c.locale')})`)} as title,
      ${sql.raw(`case when c.id is not null then ${localText('c.title', 'c.locale')}
        when k.id is not null then ${localText('k.title', `'en'`)} end`)} as place,
      case when c.id is not null then array['post', c.slug, a.id::text]
        when l.key is not null then array['lesson', k.slug, j.slug, l.slug]
        else array['person', a.author_id::text] end as page,
      case when c.id is not null then said.id else coalesce(said.id, a.id) end as anchor,
      null::timestamptz as "dueAt", null as due
    from v cross join n
    join activities a on a.id = n.activity_id and a.deleted_at is null
    join users author on author.id = a.author_id
    left join communities c on c.id = a.community_id
    left join lessons l on l.key = a.lesson_key left join journeys j on j.key = l.journey_key
    left join courses k on k.id = j.course_id
    cross join lateral ${SAID} said
    left join users u on u.id = said.user_id and u.erased_at is null
    where n.event in ('reply', 'mention', 'poll_outcome') and said.count > 0
      and case
        when a.community_id is not null then a.community_id = any(
          case when said.id is null then ${discussions}::uuid[] else ${replies}::uuid[] end)
        when a.lesson_key is not null then l.withdrawn_at is null
          and (${journeys === null} or l.journey_key = any(${journeys ?? []}::uuid[]))
        else ${sql.raw(showsProfile('author'))} end`;
}

const OF_CONNECTIONS = sql`
  select ${HEAD}, ${ACTOR}, 1, null, null, array['person', u.id::text], null, null::timestamptz, null
  from v cross join n
  join connections x on x.id = n.object_id and v.id in (x.low_id, x.high_id)
  join users u on u.id = case x.low_id when v.id then x.high_id else x.low_id end and u.erased_at is null
  where n.event = 'connection_request' and x.status = 'pending' and x.asker_id <> v.id
    or n.event = 'connection_accepted' and x.status = 'accepted' and x.asker_id = v.id`;

function ofCommunities({ communities }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${NOBODY}, 1, ${sql.raw(localText('c.title', 'c.locale'))}, null, array['community', c.slug], null, null::timestamptz, null
    from v cross join n
    join communities c on c.id = n.object_id and c.id = any(${communities}::uuid[])
    join community_members m on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true
    where n.event = 'community_invitation' and m.status = 'invited'
      or n.event = 'community_membership' and m.status = 'active'`;
}

/** Learners know a cohort by who runs it; its name is its administrators' own. */
const OF_COHORTS = sql`
  select ${HEAD}, ${NOBODY}, 1, x.primary_partner, null, array['myLearning'], null, null::timestamptz, null
  from v cross join n
  join cohorts x on x.id = n.object_id
  join cohort_members m on m.cohort_id = x.id and m.user_id = v.id
  where n.event = 'cohort_membership'`;

const ofCertificates = ({ open }: Sight) => sql`
  select ${HEAD}, ${NOBODY}, 1, t.course_title, null, array['certificate', t.public_id::text], null, null::timestamptz, null
  from v cross join n join certificates t on t.id = n.object_id and t.user_id = v.id
  join journeys j on j.key = t.journey_key join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'certificate' and t.revoked_at is null`;

const ofPlaces = ({ open }: Sight) => sql`
  select ${HEAD}, ${NOBODY}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, e.expires_on, 'end'
  from v cross join n
  join journey_enrolments e on e.id = n.object_id and e.user_id = v.id
  join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'due_date' and e.completed_at is null and e.expires_on is not null
    and enrolment_status(e.status, e.expires_on) = 'enrolled'`;

const ofDueDays = ({ open }: Sight) => sql`
  select ${HEAD}, ${NOBODY}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, d.ends_at,
    case when d.ends_at > now() then 'due' else 'late' end
  from v cross join n
  join journeys j on j.key = n.object_id and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  cross join lateral (${dueDay(sql`v.id`)}) d
  where n.event = 'due_date' and ${isUnderWay(sql`v.id`)}`;

/** Of what moderators decided: to the author wherever it stood, and to who reported in communities they may know of. */
function ofModeration({ communities, open }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${NOBODY}, 1, ${sql.raw(`case when c.id is not null then ${localText('c.title', 'c.locale')} end`)}, null,
      array['decision', d.id::text], null, null::timestamptz, null
    from v cross join n
    join moderation_decisions d on d.id = n.object_id and d.author_id = v.id
    left join communities c on c.id = d.community_id
    where n.event = 'moderation' and ${isActivityIn(sql`d.activity_id`, open)}
    union all
    select ${HEAD}, ${NOBODY}, 1, ${sql.raw(localText('c.title', 'c.locale'))}, null, array['myReports'], null, null::timestamptz, null
    from v cross join n
    join content_reports r on r.id = n.object_id and r.user_id = v.id and r.status <> 'open'
    join communities c on c.id = r.community_id and c.id = any(${communities}::uuid[])
    where n.event = 'report_outcome'`;
}

/** Which of a person's notifications: unread ones, those of some events, those of some ids. */
export type Chosen = { unread?: boolean; events?: readonly NotificationEvent[]; ids?: string[]; lookAt?: number };

/** Where what the reader may see is found, by event. */
const SOURCES: { events: NotificationEvent[]; of: (sight: Sight) => RawBuilder<unknown> }[] = [
  { events: ['reply', 'mention', 'poll_outcome'], of: ofActivities },
  { events: ['connection_request', 'connection_accepted'], of: () => OF_CONNECTIONS },
  { events: ['community_invitation', 'community_membership'], of: ofCommunities },
  { events: ['cohort_membership'], of: () => OF_COHORTS },
  { events: ['certificate'], of: ofCertificates },
  { events: ['due_date'], of: (sight) => sql`${ofPlaces(sight)} union all ${ofDueDays(sight)}` },
  { events: ['moderation', 'report_outcome'], of: ofModeration },
];

/** What the reader may see of them. */
function visible(
  reader: Reader,
  sight: Sight,
  { unread = false, events = NOTIFICATION_EVENTS, ids, lookAt = LOOKED_AT }: Chosen,
): RawBuilder<unknown> {
  // The first names the columns, so that it stays when nothing is chosen.
  const [first, ...others] = SOURCES;
  const sources = others.filter((source) => source.events.some((event) => events.includes(event)));
  // Written out, so that a plan made once for all values knows which index it may take.
  const isChosen = sql`${sql.raw(unread ? 'n.read_at is null' : 'true')} and ${ids ? sql`n.id = any(${ids}::uuid[])` : sql`true`}`;
  return sql`
    with v as materialized (select v.* from ${readerSql(reader.viewer, reader.locale)}),
    n as materialized (
      select n.* from v join notifications n on n.user_id = v.id
      where n.event = any(${events}::text[]) and ${isChosen}
      order by n.updated_at desc, n.id desc limit ${lookAt}),
    shown as (${sql.join(
      [first!, ...sources].map(({ of }) => of(sight)),
      sql` union all `,
    )})`;
}

/** Newest first. */
export async function findVisible(
  db: Db,
  reader: Reader,
  sight: Sight,
  chosen: Chosen & { limit: number; offset: number },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    ${visible(reader, sight, chosen)}
    select * from shown order by "updatedAt" desc, id desc limit ${chosen.limit} offset ${chosen.offset}`.execute(db);
  return rows;
}

export async function countVisible(
  db: Db,
  reader: Reader,
  sight: Sight,
  chosen: Chosen & { atMost: number },
): Promise<number> {
  const [row] = await runPrepared(
    db,
    sql<{ count: number }>`
      ${visible(reader, sight, chosen)}
      select count(*)::int as count from (select 1 from shown limit ${chosen.atMost}) counted`,
  );
  return row?.count ?? 0;
}

/** The events there are among the newest of a person but for some, visible or not. */
export async function findEvents(db: Db, userId: string, except: NotificationEvent[]): Promise<NotificationEvent[]> {
  const { rows } = await sql<{ event: NotificationEvent }>`
    select distinct event from (
      select event from notifications where user_id = ${userId} and not event = any(${except}::text[])
      order by updated_at desc, id desc limit ${LOOKED_AT}) n`.execute(db);
  return rows.map(({ event }) => event);
}

/**
 * The events of which there is anything unread, visible or not, and what the person chose about each: cheap to ask, and
 * for most people none or one.
 */
export async function findUnreadEvents(
  db: Db,
  userId: string,
): Promise<{ event: NotificationEvent; inApp: InAppPace | null }[]> {
  return await runPrepared(
    db,
    sql<{ event: NotificationEvent; inApp: InAppPace | null }>`
      select n.event, p.in_app as "inApp"
      from (select distinct user_id, event from notifications where user_id = ${userId} and read_at is null) n
      left join notification_preferences p on p.user_id = n.user_id and p.event = n.event`,
  );
}

/** False when there is none of this id. One that was read stays so. */
export async function markRead(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update notifications set read_at = coalesce(read_at, now()) where id = ${id} and user_id = ${userId}`.execute(db);
  return numAffectedRows === 1n;
}

/** All of a person's, or those of these ids. */
export async function markAllRead(db: Db, { userId, ids }: { userId: string; ids?: string[] }): Promise<void> {
  await sql`
    update notifications set read_at = now()
    where user_id = ${userId} and read_at is null and ${ids ? sql`id = any(${ids}::uuid[])` : sql`true`}`.execute(db);
}
