// Raw SQL: the inbox is one union of lateral joins over fragments of other areas; counting unread is a prepared statement.
import { type NotificationEvent, NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import { isNarrowed, type OpenSlugs, type Scope } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { isReadable, isSeenReport, joinLesson } from '#server/areas/community/discussions/lesson.sql.ts';
import { isActivityIn } from '#server/areas/community/place.sql.ts';
import { localText, type LocalViewer, viewerSql, showsProfile } from '#server/areas/community/viewer.sql.ts';
import { type Db, runPrepared } from '#server/db/client.ts';
import type { Page } from '#server/page-address.ts';
import { ofConnections } from './connection-source.sql.ts';
import { DUE_EVENTS, ofDueDates } from './due-source.sql.ts';
import { ofEvents } from './event-source.sql.ts';
import { ofFollows } from './follow-source.sql.ts';
import { ofMarkedAttempts } from './marking-source.sql.ts';
import { isMuted } from './muted.sql.ts';
import { REMINDER_WORDS } from './reminder-source.sql.ts';
import { ofAdministrators, ofRoles } from './role-source.sql.ts';
import { ofWaiting, WAITING_EVENTS } from './waiting-source.sql.ts';

const NOW = sql<Date>`now()`;
/** The ids of everything the viewer may see. `journeys` null: all. */
export type Sight = {
  communities: string[];
  discussions: string[];
  replies: string[];
  journeys: string[] | null;
  /** The communities and courses the session's token names. */
  open: OpenSlugs;
  /** The scopes of content that the viewer sees without a grant. */
  scopes: Scope[];
  /** Assigned roles count: no second factor is missing, and no service opened the session. */
  hasRoles: boolean;
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
  /** The id of the element on the page. */
  anchor: string | null;
  dueAt: Date | null;
  due: 'end' | 'due' | 'late' | null;
  /** The words of the sender of a reminder. */
  words: string | null;
  updatedAt: Date;
  isRead: boolean;
};

/** The newest notifications of a user that are considered. */
export const MAX_CONSIDERED = 500;

const ACTOR = sql.raw(`u.id as "actorId", u.name as "actorName",
  case when ${showsProfile('u')} then u.image_thumbnail end as "actorThumbnail"`);
const NOBODY = sql`null::uuid as "actorId", null as "actorName", null as "actorThumbnail"`;
const HEAD = sql`n.id, n.event, n.updated_at as "updatedAt", n.read_at is not null as "isRead"`;

/** The newest reply of several, its author and the number of authors. */
const LATEST = sql`(array_agg(r.id order by r.id desc))[1] as id, (array_agg(r.user_id order by r.id desc))[1] as user_id,
  count(distinct r.user_id)::int as count`;
const REPLIES = sql`r.kind = 'reply' and r.deleted_at is null and r.id >= n.since_id and r.user_id <> n.user_id
  and not n.user_id = any(r.mentioned) and not ${isMuted('person_id', 'r.user_id')}`;
const SOURCE_TEXT = sql`(
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

/** Notifications about posts, polls and replies in communities, under lessons and on profiles. */
function ofActivities({ discussions, replies, journeys }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${ACTOR}, source.count,
      ${sql.raw(`coalesce(a.title, ${localText('l.title', `'en'`)}, ${localText('c.title', 'c.locale')})`)} as title,
      ${sql.raw(`case when c.id is not null then ${localText('c.title', 'c.locale')}
        when k.id is not null then ${localText('k.title', `'en'`)} end`)} as place,
      case when c.id is not null then array['post', c.slug, a.id::text]
        when l.key is not null then array['lesson', k.slug, j.slug, l.slug]
        else array['person', a.author_id::text] end as page,
      case when c.id is not null then source.id else coalesce(source.id, a.id) end as anchor,
      null::timestamptz as "dueAt", null as due
    from v cross join n
    join activities a on a.id = n.activity_id and a.deleted_at is null
    join users author on author.id = a.author_id
    left join communities c on c.id = a.community_id
    left join lessons l on l.key = a.lesson_key left join journeys j on j.key = l.journey_key
    left join courses k on k.id = j.course_id
    cross join lateral ${SOURCE_TEXT} source
    left join users u on u.id = source.user_id and u.erased_at is null
    where n.event in ('reply', 'mention', 'poll_outcome') and source.count > 0
      and (source.user_id is null or not ${isMuted('person_id', 'source.user_id')})
      and (n.event = 'mention' or not (${isMuted('activity_id', 'a.id')} or ${isMuted('community_id', 'a.community_id')}))
      and case
        when a.community_id is not null then a.community_id = any(
          case when source.id is null then ${discussions}::uuid[] else ${replies}::uuid[] end)
        when a.lesson_key is not null then l.withdrawn_at is null
          and (${journeys === null} or l.journey_key = any(${journeys ?? []}::uuid[]))
        else ${sql.raw(showsProfile('author'))} end`;
}

function ofCommunities({ communities }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${NOBODY}, 1, ${sql.raw(localText('c.title', 'c.locale'))}, null, array[case when n.event = 'community_membership' and m.role = 'owner' then 'communityMembers' else 'community' end, c.slug],
      null, null::timestamptz, null
    from v cross join n
    join communities c on c.id = n.object_id and c.id = any(${communities}::uuid[])
    join community_members m on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true
    where n.event = 'community_invitation' and m.status = 'invited'
      or n.event = 'community_membership' and m.status = 'active'`;
}

/** Titled by the cohort's partner: the name of a cohort is internal to its administrators. */
const OF_COHORTS = sql`
  select ${HEAD}, ${NOBODY}, 1, x.primary_partner, null, array['myLearning'], null, null::timestamptz, null
  from v cross join n
  join cohorts x on x.id = n.object_id and x.deleted_at is null
  join cohort_members m on m.cohort_id = x.id and m.user_id = v.id
  where n.event = 'cohort_membership'`;

const ofCertificates = ({ open }: Sight) => sql`
  select ${HEAD}, ${NOBODY}, 1, t.course_title, null, array['certificate', t.public_id::text], null, null::timestamptz, null
  from v cross join n join certificates t on t.id = n.object_id and t.user_id = v.id
  join journeys j on j.key = t.journey_key join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'certificate' and t.revoked_at is null`;

/** The title of a community, or of a lesson that the viewer may read. */
const placeTitle = (journeys: string[] | null) => sql`case
  when c.id is not null then ${sql.raw(localText('c.title', 'c.locale'))}
  when ${isReadable(journeys)} then ${sql.raw(localText('lesson.title', `'en'`))} end`;

/** Decisions, for the author of the text anywhere and for reporters in communities and under lessons they may see. */
function ofModeration({ communities, journeys, open }: Sight): RawBuilder<unknown> {
  return sql`
    select ${HEAD}, ${NOBODY}, 1, ${placeTitle(journeys)}, null, array['decision', d.id::text], null, null::timestamptz, null
    from v cross join n
    join moderation_decisions d on d.id = n.object_id and d.author_id = v.id
    left join communities c on c.id = d.community_id ${joinLesson(sql`d.activity_id`)}
    where n.event = 'moderation' and ${isActivityIn(sql`d.activity_id`, open)}
    union all
    select ${HEAD}, ${NOBODY}, 1, ${placeTitle(journeys)}, null, array['myReports'], null, null::timestamptz, null
    from v cross join n
    join content_reports r on r.id = n.object_id and r.user_id = v.id and r.status <> 'open'
    left join communities c on c.id = r.community_id ${joinLesson(sql`r.activity_id`)}
    where n.event = 'report_outcome' and ${isSeenReport({ communities, journeys })}`;
}

/** Filters a user's notifications by read state, events and ids. `limitTo` bounds how many are considered. */
export type InboxFilter = { unread?: boolean; events?: readonly NotificationEvent[]; ids?: string[]; limitTo?: number };

/** The statement that shows the notifications of each event. */
const SOURCES: { events: NotificationEvent[]; of: (sight: Sight) => RawBuilder<unknown> }[] = [
  { events: ['reply', 'mention', 'poll_outcome'], of: ofActivities },
  {
    events: ['community_post', 'thread_reply', 'person_post', 'new_article'],
    of: ({ discussions, replies }) => ofFollows({ head: HEAD, actor: ACTOR, discussions, replies }),
  },
  { events: ['connection_request', 'connection_accepted'], of: () => ofConnections({ head: HEAD, actor: ACTOR }) },
  { events: ['community_invitation', 'community_membership'], of: ofCommunities },
  { events: ['cohort_membership'], of: () => OF_COHORTS },
  { events: ['certificate'], of: ofCertificates },
  { events: ['attempt_marked'], of: ({ open }) => ofMarkedAttempts({ head: HEAD, nobody: NOBODY, open }) },
  { events: DUE_EVENTS, of: ({ open }) => ofDueDates({ head: HEAD, nobody: NOBODY, open }) },
  { events: ['moderation', 'report_outcome'], of: ofModeration },
  {
    events: ['role_change', 'administrator'],
    of: ({ open }) => {
      const source = { head: HEAD, nobody: NOBODY, isNarrowed: isNarrowed(open) };
      return sql`${ofRoles(source)} union all ${ofAdministrators(source)}`;
    },
  },
  {
    events: WAITING_EVENTS,
    of: ({ open, hasRoles }) => ofWaiting({ head: HEAD, nobody: NOBODY, isNarrowed: isNarrowed(open), hasRoles }),
  },
  {
    events: ['event_seat', 'event_promoted', 'event_changed', 'event_cancelled', 'event_reminder'],
    of: ({ scopes }) => ofEvents({ head: HEAD, nobody: NOBODY, scopes }),
  },
];

/** The notifications that match the filter and that the viewer may see now, as `shown`. */
function visible(
  reader: LocalViewer,
  sight: Sight,
  { unread = false, events = NOTIFICATION_EVENTS, ids, limitTo = MAX_CONSIDERED }: InboxFilter,
): RawBuilder<unknown> {
  // The first part of the union names the columns, so it is always included.
  const [first, ...others] = SOURCES;
  const sources = others.filter((source) => source.events.some((event) => events.includes(event)));
  // A literal, not a parameter, so that a generic plan can use the partial index.
  const matches = sql`${sql.raw(unread ? 'n.read_at is null' : 'true')} and ${ids ? sql`n.id = any(${ids}::uuid[])` : sql`true`}`;
  return sql`
    with v as materialized (select v.* from ${viewerSql(reader.viewer, reader.locale)}),
    n as materialized (
      select n.* from v join notifications n on n.user_id = v.id
      where n.event = any(${events}::text[]) and ${matches}
      order by n.updated_at desc, n.id desc limit ${limitTo}),
    mine as materialized (select f.* from v join follows f on f.user_id = v.id),
    shown as (${sql.join(
      [first!, ...sources].map(({ of }) => of(sight)),
      sql` union all `,
    )})`;
}

/** Newest first. */
export async function findVisible(
  db: Db,
  reader: LocalViewer,
  sight: Sight,
  filter: InboxFilter & { limit: number; offset: number },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    ${visible(reader, sight, filter)}
    select shown.*, case when event = 'reminder' then ${REMINDER_WORDS} end as words
    from shown order by "updatedAt" desc, id desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  return rows;
}

export async function countVisible(
  db: Db,
  reader: LocalViewer,
  sight: Sight,
  filter: InboxFilter & { atMost: number },
): Promise<number> {
  const [row] = await runPrepared(
    db,
    sql<{ count: number }>`
      ${visible(reader, sight, filter)}
      select count(*)::int as count from (select 1 from shown limit ${filter.atMost}) counted`,
  );
  return row?.count ?? 0;
}

/** Events among a user's newest notifications, except some, whether visible or not. */
export async function findEvents(db: Db, userId: string, except: NotificationEvent[]): Promise<NotificationEvent[]> {
  const newest = db
    .selectFrom('notifications')
    .select('event')
    .where('user_id', '=', userId)
    .where((eb) => eb.not(eb('event', '=', eb.fn.any(eb.val<string[]>(except)))))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CONSIDERED);
  const rows = await db
    .selectFrom(newest.as('n'))
    .select('event')
    .distinct()
    .$narrowType<{ event: NotificationEvent }>()
    .execute();
  return rows.map(({ event }) => event);
}

/** Returns false for an unknown id. A read notification keeps its time. */
export async function markRead(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set((eb) => ({ read_at: eb.fn.coalesce('read_at', NOW) }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks all unread notifications of a user as read, or only those with these ids. */
export async function markAllRead(db: Db, { userId, ids }: { userId: string; ids?: string[] }): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: NOW })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', (eb) => eb.fn.any(eb.val(ids!)))) // checked just before
    .execute();
}
