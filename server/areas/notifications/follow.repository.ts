// Raw SQL: lists of four kinds in one union, over the SQL of the community area.
import type { FollowKind, FollowLevel } from '@officium/contract/follows';
import { sql } from 'kysely';
import { localText, type LocalViewer, viewerSql } from '#server/areas/community/viewer.sql.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import { type Db, NOW, runPrepared } from '#server/db/client.ts';
import type { Follows } from '#server/db/schema.ts';
import type { Page } from '#server/page-address.ts';
import type { Sight } from './notification.repository.ts';

export type FollowRow = {
  kind: FollowKind;
  id: string;
  title: string | null;
  place: string | null;
  /** Null for a topic. */
  page: Page | null;
  level: FollowLevel;
  since: Date | null;
};

/** Adds the ids of the people whom the viewer has muted. */
export type FollowRowWithMuted = FollowRow & { mutedPeople: string[] };

/** A followed thing by its row: the id of a community, of the post that begins a thread or of a person, or a topic. */
export type FollowedThing = { kind: FollowKind; rowId: string };

const COLUMN = {
  community: 'community_id',
  thread: 'activity_id',
  person: 'person_id',
  topic: 'topic',
} as const satisfies Record<FollowKind, keyof Follows>;

const TITLE = sql.raw(localText('c.title', 'c.locale'));
const OF_COMMUNITY = sql`'community' as kind, c.slug as id, ${TITLE} as title, null as place, array['community', c.slug] as page`;
const OF_THREAD = sql`'thread' as kind, a.id::text as id, a.title, ${TITLE} as place, array['post', c.slug, a.id::text] as page`;
const OF_PERSON = sql`'person' as kind, u.id::text as id, u.name as title, null as place, array['person', u.id::text] as page`;

/** The things that the viewer follows and may see now, newest first. */
export async function findFollows(db: Db, { viewer, locale }: LocalViewer, sight: Sight): Promise<FollowRow[]> {
  const { rows } = await sql<FollowRow>`
    with v as materialized (select v.* from ${viewerSql(viewer, locale)}),
    f as materialized (select f.* from v join follows f on f.user_id = v.id)
    select ${OF_COMMUNITY}, f.level, f.since
    from v cross join f join communities c on c.id = f.community_id and c.id = any(${sight.discussions}::uuid[])
    union all
    select ${OF_THREAD}, f.level, f.since
    from v cross join f join activities a on a.id = f.activity_id and a.deleted_at is null
      join communities c on c.id = a.community_id and c.id = any(${sight.discussions}::uuid[])
    union all
    select ${OF_PERSON}, f.level, f.since
    from f join users u on u.id = f.person_id and u.erased_at is null
    union all
    select 'topic', f.topic, null, null, null, f.level, f.since from f where f.topic is not null
    order by since desc, id`.execute(db);
  return rows;
}

/** One thing with the viewer's level. The caller checks access. */
export async function getFollow(
  db: Db,
  { viewer, locale }: LocalViewer,
  { kind, id }: Pick<FollowRow, 'kind' | 'id'>,
): Promise<FollowRowWithMuted | undefined> {
  const sources = {
    community: sql`${OF_COMMUNITY}, c.id as row_id from v cross join communities c where c.slug = ${id}`,
    thread: sql`${OF_THREAD}, a.id as row_id from v cross join activities a join communities c on c.id = a.community_id
          where a.id = ${id}::uuid and a.deleted_at is null`,
    // An account that never proved its address is as missing as one that does not exist.
    person: sql`${OF_PERSON}, u.id as row_id from users u
      where u.id = ${id}::uuid and u.erased_at is null and u.email_proven_at is not null`,
    topic: sql`'topic' as kind, ${id}::text as id, null as title, null as place, null::text[] as page, ${id}::text as row_id`,
  };
  const [row] = await runPrepared(
    db,
    sql<FollowRowWithMuted>`
    with v as (select v.* from ${viewerSql(viewer, locale)}), thing as (select ${sources[kind]})
    select thing.kind, thing.id, thing.title, thing.place, thing.page, coalesce(f.level, 'normal') as level, f.since,
      array(select m.person_id from follows m where m.user_id = v.id and m.level = 'muted' and m.person_id is not null) as "mutedPeople"
    from v cross join thing left join follows f on f.user_id = v.id and f.${sql.ref(COLUMN[kind])} = thing.row_id`,
  );
  return row;
}

/** The slug of the community of a post; undefined for a missing or deleted one, or one outside communities. */
export async function getThreadCommunity(db: Db, activityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('activities as a')
    .innerJoin('communities as c', 'c.id', 'a.community_id')
    .select('c.slug')
    .where('a.id', '=', activityId)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.slug;
}

/** Serialises the changes of one person, so that their number stays within the limit. */
export async function lockFollows(db: Db, userId: string): Promise<void> {
  await lockName(db, `follows ${userId}`);
}

export async function countFollows(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('follows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes what the person follows but may not see now, or what is gone. */
export async function deleteHiddenFollows(db: Db, userId: string, sight: Sight): Promise<void> {
  const seen = sql`any(${sight.discussions}::uuid[])`;
  await sql`
    delete from follows f where f.user_id = ${userId} and f.topic is null
      and not coalesce(f.community_id = ${seen}, false)
      and not exists (
        select from activities a where a.id = f.activity_id and a.deleted_at is null and a.community_id = ${seen})
      and not exists (select from users u where u.id = f.person_id and u.erased_at is null)`.execute(db);
}

/** A repeated level keeps its time. */
export async function putFollow(
  db: Db,
  userId: string,
  { kind, rowId, level }: FollowedThing & { level: 'watching' | 'muted' },
): Promise<void> {
  const column = COLUMN[kind];
  await db
    .insertInto('follows')
    .values({ user_id: userId, [column]: rowId, level })
    .onConflict((row) =>
      row
        .columns([column, 'user_id'])
        .where(column, 'is not', null)
        .doUpdateSet(({ ref }) => ({ level: ref('excluded.level'), since: NOW }))
        .whereRef('follows.level', '<>', 'excluded.level'),
    )
    .execute();
}

export async function deleteFollow(db: Db, userId: string, { kind, rowId }: FollowedThing): Promise<void> {
  await db.deleteFrom('follows').where('user_id', '=', userId).where(COLUMN[kind], '=', rowId).execute();
}
