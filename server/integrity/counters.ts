import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** A number the product keeps beside what it counts, and how it is counted. */
type Counter = { table: string; key: string; columns: string[]; counted: RawBuilder<unknown> };

const COUNTERS: readonly Counter[] = [
  {
    table: 'communities',
    key: 'id',
    columns: ['member_count'],
    counted: sql`select c.id, coalesce(m.n, 0)::int as member_count
      from communities c
      left join (select community_id, count(*) as n from community_members where status = 'active' group by 1) m on m.community_id = c.id`,
  },
  {
    table: 'activities',
    key: 'id',
    columns: ['like_count', 'reply_count', 'pin_count'],
    counted: sql`select a.id, coalesce(r.likes, 0)::int as like_count, coalesce(r.replies, 0)::int as reply_count, coalesce(r.pins, 0)::int as pin_count
      from activities a left join (
        select activity_id, count(*) filter (where kind = 'like') as likes, count(*) filter (where kind = 'reply') as replies,
          count(*) filter (where kind = 'pin') as pins
        from reactions where parent_id is null and deleted_at is null group by 1) r on r.activity_id = a.id
      where a.deleted_at is null`,
  },
  {
    table: 'reactions',
    key: 'id',
    columns: ['like_count', 'reply_count'],
    counted: sql`select x.id, coalesce(r.likes, 0)::int as like_count, coalesce(r.replies, 0)::int as reply_count
      from reactions x left join (
        select parent_id, count(*) filter (where kind = 'like') as likes, count(*) filter (where kind = 'reply') as replies
        from reactions where parent_id is not null and deleted_at is null group by 1) r on r.parent_id = x.id
      where x.deleted_at is null`,
  },
  {
    table: 'activities',
    key: 'id',
    columns: ['people_points'],
    counted: sql`select a.id, coalesce(p.points, 0)::int as people_points
      from activities a left join (
        select activity_id, sum(case kind when 'like' then 1 when 'reply' then 2 else 3 end) as points from activity_people
        group by 1) p on p.activity_id = a.id
      where a.deleted_at is null`,
  },
  {
    table: 'poll_options',
    key: 'id',
    columns: ['vote_count'],
    counted: sql`select o.id, (select count(*)::int from poll_votes v where v.option_id = o.id) as vote_count from poll_options o`,
  },
  {
    table: 'polls',
    key: 'id',
    columns: ['vote_count', 'voter_count'],
    counted: sql`select p.id, (select count(*)::int from poll_votes v where v.poll_id = p.id) as vote_count,
      (select count(distinct v.user_id)::int from poll_votes v where v.poll_id = p.id) as voter_count from polls p`,
  },
];

/** Rows that are there because others are, with their numbers. */
const ROWS: readonly {
  table: string;
  keys: string[];
  column: string;
  counted: RawBuilder<unknown>;
  kept: RawBuilder<unknown>;
}[] = [
  {
    table: 'activity_people',
    keys: ['activity_id', 'user_id', 'kind'],
    column: 'times',
    counted: sql`select r.activity_id, r.user_id, r.kind, count(*)::int as times
      from reactions r join activities a on a.id = r.activity_id and a.deleted_at is null
      where r.deleted_at is null and r.user_id <> a.author_id and (r.kind = 'reply' or r.kind = 'like' and r.parent_id is null)
      group by 1, 2, 3`,
    kept: sql`select p.* from activity_people p join activities a on a.id = p.activity_id and a.deleted_at is null where p.kind <> 'share'`,
  },
];

/** Numbers that triggers keep, of each thing by its key (server/db/tallies.ts); nothing has to write them. */
const TALLIES = sql`
  select 'people' as thing, person_tally(role, email_proven_at, registration_status, visibility, erased_at) as key, count(*)::int as n
    from users where erased_at is null group by 2
  union all select 'cohorts', '', count(*) from cohorts having count(*) > 0
  union all select 'cohort_members', cohort_id::text, count(*) from cohort_members group by 2
  union all select 'cohort_invitations', cohort_id::text, count(*) from cohort_invitations group by 2
  union all select 'community_members', community_id || ' ' || role, count(*) from community_members group by 2
  union all select 'bulk_enrolments', type || ' ' || status, count(*) from bulk_enrolments group by 2
  union all select 'mails', status, count(*) from mails group by 2`;
/** What the overview of the administration shows of everything, by figure, and how often it happened. */
const FIGURES = sql`
  select 'people' as figure, (select count(*) from users where email_proven_at is not null and erased_at is null)::int as n
  union all select 'enrolments', (select count(*) from journey_enrolments)
  union all select 'journeys', (select count(*) from journey_enrolments where completed_at is not null)
  union all select 'lessons', (select count(*) from lesson_completions)
  union all select 'certificates', (select count(*) from certificates where revoked_at is null)
  union all select 'posts', (select count(*) from activities where verb <> 'lesson' and deleted_at is null)
  union all select 'replies', (select count(*) from reactions where kind = 'reply' and deleted_at is null)`;
const KEPT_FIGURES = sql`
  select f.figure, sum(f.n)::int as n
  from (
    select people, enrolments, journeys, lessons, certificates, posts, replies from week_figures where scope = ''
    union all
    select people, enrolments, journeys, lessons, certificates, posts, replies from figures_waiting where scope = '') w,
    lateral (values ('people', people), ('enrolments', enrolments), ('journeys', journeys), ('lessons', lessons),
      ('certificates', certificates), ('posts', posts), ('replies', replies)) f (figure, n)
  group by 1`;

const IS_FOLDED = sql`cohort_id::text not in (select key from tally_changes where thing = 'cohort_members')`;

/** Who says how many, and how many there are. */
const WATCHED: readonly { name: string; keys: string[]; kept: RawBuilder<unknown>; counted: RawBuilder<unknown> }[] = [
  {
    name: 'tallies',
    keys: ['thing', 'key'],
    kept: sql`select thing, key, sum(n)::int as n from tallied group by 1, 2 having sum(n) <> 0`,
    counted: TALLIES,
  },
  {
    // Bits of cohorts that nothing waits for; alike are those found on both sides.
    name: 'cohort_crowds',
    keys: ['cohort_id', 'chunk', 'people'],
    kept: sql`select cohort_id, chunk, people, 1 as n from cohort_crowds where ${IS_FOLDED}`,
    counted: sql`select cohort_id, chunk, people, 1 as n from counted_crowds where ${IS_FOLDED}`,
  },
  {
    name: 'activity_counts',
    keys: ['community_id', 'category'],
    kept: sql`select community_id, category, sum(n)::int as n from activity_counts group by 1, 2 having sum(n) <> 0`,
    counted: sql`select community_id, category, count(*)::int as n
      from activities, unnest(array[''] || categories) category where deleted_at is null and community_id is not null group by 1, 2`,
  },
  { name: 'figures', keys: ['figure'], kept: KEPT_FIGURES, counted: FIGURES },
  {
    name: 'search_documents',
    keys: ['kind'],
    kept: sql`select kind, count(*)::int as n from search_documents where kind in ('post', 'reply') group by 1`,
    counted: sql`
      select 'post' as kind, count(*)::int as n from activities where deleted_at is null and community_id is not null
      union all
      select 'reply', count(*) from reactions r join activities a on a.id = r.activity_id
      where r.kind = 'reply' and r.deleted_at is null and a.deleted_at is null and a.community_id is not null`,
  },
];

const columnsOf = (names: readonly string[], table: string) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

/** Every number that is kept beside what it counts, and of how many rows it differs. */
export async function findDifferences(db: Db): Promise<{ name: string; wrong: number }[]> {
  const found: { name: string; wrong: number }[] = [];
  const note = (name: string, rows: { n: number }[]) => void found.push({ name, wrong: rows[0]?.n ?? 0 });
  for (const { table, key, columns, counted } of COUNTERS) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} kept join (${counted}) counted using (${sql.ref(key)})
      where (${columnsOf(columns, 'kept')}) is distinct from (${columnsOf(columns, 'counted')})`.execute(db);
    note(`${table}.${columns.join(', ')}`, rows);
  }
  for (const { table, keys, column, counted, kept } of ROWS) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from (${kept}) kept full join (${counted}) counted using (${sql.join(keys.map((key) => sql.ref(key)))})
      where ${sql.ref(`kept.${column}`)} is distinct from ${sql.ref(`counted.${column}`)}`.execute(db);
    note(`${table}.${column}`, rows);
  }
  for (const { name, keys, kept, counted } of WATCHED) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from (${kept}) kept full join (${counted}) counted using (${sql.join(keys.map((key) => sql.ref(key)))})
      where coalesce(kept.n, 0) <> coalesce(counted.n, 0)`.execute(db);
    note(name, rows);
  }
  return found;
}

/** Where a number differs from what it counts, as `table.columns: rows`; nothing when all agree. */
export async function differences(db: Db): Promise<string[]> {
  const found = await findDifferences(db);
  return found.filter(({ wrong }) => wrong > 0).map(({ name, wrong }) => `${name}: ${wrong}`);
}

/** Writes every number that follows from what was just written beside it, and the order of feeds from those. */
export async function settle(db: Db): Promise<void> {
  for (const { table, keys, column, counted } of ROWS) {
    const key = sql.join(keys.map((name) => sql.ref(name)));
    await sql`
      insert into ${sql.table(table)} as kept (${key}, ${sql.ref(column)}) select ${key}, ${sql.ref(column)} from (${counted}) counted
      on conflict (${key}) do update set ${sql.ref(column)} = excluded.${sql.ref(column)}
      where ${sql.ref(`kept.${column}`)} <> excluded.${sql.ref(column)}`.execute(db);
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
  for (const { table, key, columns, counted } of COUNTERS) {
    const values = sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`counted.${name}`)}`));
    await sql`
      update ${sql.table(table)} kept set ${values} from (${counted}) counted
      where ${sql.ref(`kept.${key}`)} = ${sql.ref(`counted.${key}`)}
        and (${columnsOf(columns, 'kept')}) is distinct from (${columnsOf(columns, 'counted')})`.execute(db);
  }
  await sql`
    update activities set hot = activity_hot(people_points, created_at)
    where deleted_at is null and people_points > 0 and hot <> activity_hot(people_points, created_at)`.execute(db);
}
