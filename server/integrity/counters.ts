// Raw SQL: the table and columns of a counter vary.
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

type Counted = (db: Db) => Expression<unknown>;
/** A stored counter, and the statement that counts it again. */
type Counter = { table: string; columns: readonly string[]; counted: Counted };

/** Declares counters of a table by its id; the columns are checked against the schema. */
function counterOf<T extends keyof DB & string, C extends keyof DB[T] & string>(
  table: T,
  columns: readonly C[],
  counted: (db: Db) => Expression<{ id: string } & Record<C, unknown>>,
): Counter {
  return { table, columns, counted };
}

const COUNTERS: readonly Counter[] = [
  counterOf('communities', ['member_count'], (db) =>
    db
      .selectFrom('communities as c')
      .leftJoin(
        db
          .selectFrom('community_members')
          .select((eb) => ['community_id', eb.fn.countAll().as('n')])
          .where('status', '=', 'active')
          .groupBy('community_id')
          .as('m'),
        'm.community_id',
        'c.id',
      )
      .select((eb) => ['c.id', eb.fn.coalesce('m.n', eb.lit(0)).as('member_count')]),
  ),
  counterOf('activities', ['like_count', 'reply_count', 'pin_count'], (db) =>
    db
      .selectFrom('activities as a')
      .leftJoin(
        db
          .selectFrom('reactions')
          .select((eb) => [
            'activity_id',
            eb.fn.countAll().filterWhere('kind', '=', 'like').as('likes'),
            eb.fn.countAll().filterWhere('kind', '=', 'reply').as('replies'),
            eb.fn.countAll().filterWhere('kind', '=', 'pin').as('pins'),
          ])
          .where('parent_id', 'is', null)
          .where('deleted_at', 'is', null)
          .groupBy('activity_id')
          .as('r'),
        'r.activity_id',
        'a.id',
      )
      .select((eb) => [
        'a.id',
        eb.fn.coalesce('r.likes', eb.lit(0)).as('like_count'),
        eb.fn.coalesce('r.replies', eb.lit(0)).as('reply_count'),
        eb.fn.coalesce('r.pins', eb.lit(0)).as('pin_count'),
      ])
      .where('a.deleted_at', 'is', null),
  ),
  counterOf('reactions', ['like_count', 'reply_count'], (db) =>
    db
      .selectFrom('reactions as x')
      .leftJoin(
        db
          .selectFrom('reactions')
          .select((eb) => [
            'parent_id',
            eb.fn.countAll().filterWhere('kind', '=', 'like').as('likes'),
            eb.fn.countAll().filterWhere('kind', '=', 'reply').as('replies'),
          ])
          .where('parent_id', 'is not', null)
          .where('deleted_at', 'is', null)
          .groupBy('parent_id')
          .as('r'),
        'r.parent_id',
        'x.id',
      )
      .select((eb) => [
        'x.id',
        eb.fn.coalesce('r.likes', eb.lit(0)).as('like_count'),
        eb.fn.coalesce('r.replies', eb.lit(0)).as('reply_count'),
      ])
      .where('x.deleted_at', 'is', null),
  ),
  counterOf('activities', ['people_points'], (db) =>
    db
      .selectFrom('activities as a')
      .leftJoin(
        db
          .selectFrom('activity_people')
          .select(({ fn }) => ['activity_id', fn.sum(fn<number>('activity_points', ['kind'])).as('points')])
          .groupBy('activity_id')
          .as('p'),
        'p.activity_id',
        'a.id',
      )
      .select((eb) => ['a.id', eb.fn.coalesce('p.points', eb.lit(0)).as('people_points')])
      .where('a.deleted_at', 'is', null),
  ),
  counterOf('poll_options', ['vote_count'], (db) =>
    db
      .selectFrom('poll_options as o')
      .select((eb) => [
        'o.id',
        eb
          .selectFrom('poll_votes as v')
          .select((vote) => vote.fn.countAll().as('n'))
          .whereRef('v.option_id', '=', 'o.id')
          .as('vote_count'),
      ])
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('polls as p').whereRef('p.id', '=', 'o.poll_id').where('p.counts_only', '=', true)),
        ),
      ),
  ),
  counterOf('polls', ['vote_count', 'voter_count'], (db) =>
    db
      .selectFrom('polls as p')
      .select((eb) => {
        const votes = eb.selectFrom('poll_votes as v').whereRef('v.poll_id', '=', 'p.id');
        return [
          'p.id',
          votes.select((vote) => vote.fn.countAll().as('n')).as('vote_count'),
          votes.select((vote) => vote.fn.count('v.user_id').distinct().as('n')).as('voter_count'),
        ];
      })
      .where('p.counts_only', '=', false),
  ),
];

/** Rows that exist because of other rows, with their counters. */
const ROWS: readonly { table: keyof DB & string; keys: string[]; column: string; counted: Counted; kept: Counted }[] = [
  {
    table: 'activity_people',
    keys: ['activity_id', 'user_id', 'kind'],
    column: 'times',
    counted: (db) =>
      db
        .selectFrom('reactions as r')
        .innerJoin('activities as a', 'a.id', 'r.activity_id')
        .select((eb) => ['r.activity_id', 'r.user_id', 'r.kind', eb.fn.countAll().as('times')])
        .where('a.deleted_at', 'is', null)
        .where('r.deleted_at', 'is', null)
        .whereRef('r.user_id', '<>', 'a.author_id')
        .where((eb) =>
          eb.or([eb('r.kind', '=', 'reply'), eb.and([eb('r.kind', '=', 'like'), eb('r.parent_id', 'is', null)])]),
        )
        .groupBy(['r.activity_id', 'r.user_id', 'r.kind']),
    kept: (db) =>
      db
        .selectFrom('activity_people as p')
        .innerJoin('activities as a', 'a.id', 'p.activity_id')
        .selectAll('p')
        .where('a.deleted_at', 'is', null)
        .where('p.kind', '<>', 'share'),
  },
];

/** The counters in `tallies` by key, maintained by triggers only (server/db/tallies.ts). */
const TALLIES = sql`
  select 'people' as thing, person_tally(role, email_proven_at, registration_status, visibility, erased_at) as key, count(*)::int as n
    from users where erased_at is null group by 2
  union all select 'cohorts', '', count(*) from cohorts having count(*) > 0
  union all select 'cohort_members', cohort_id::text, count(*) from cohort_members group by 2
  union all select 'cohort_invitations', cohort_id::text, count(*) from cohort_invitations group by 2
  union all select 'community_members', community_id || ' ' || role, count(*) from community_members group by 2
  union all select 'bulk_enrolments', type || ' ' || status, count(*) from bulk_enrolments group by 2
  union all select 'mails', status, count(*) from mails group by 2`;
/** The figures of the administration's overview over everything, with their counts. */
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

/** All stored counts with their recounts. */
const WATCHED: readonly { name: string; keys: string[]; kept: RawBuilder<unknown>; counted: RawBuilder<unknown> }[] = [
  {
    name: 'tallies',
    keys: ['thing', 'key'],
    kept: sql`select thing, key, sum(n)::int as n from tallied group by 1, 2 having sum(n) <> 0`,
    counted: TALLIES,
  },
  {
    // Bitmaps of cohorts without waiting changes; equal ones are found on both sides.
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
    kept: sql`select kind, count(*)::int as n from search_documents 
      where kind in ('post', 'reply', 'discussion') group by 1`,
    counted: sql`
      select 'post' as kind, count(*)::int as n from activities where deleted_at is null and community_id is not null
      union all
      select 'reply', count(*) from reactions r join activities a on a.id = r.activity_id
      where r.kind = 'reply' and r.deleted_at is null and a.deleted_at is null and a.community_id is not null
      union all
      select 'discussion', sum(n)::int from (
        select count(*) as n from activities a, jsonb_object_keys(a.body_html_map)
        where a.deleted_at is null and a.lesson_key is not null
        union all
        select count(*) from reactions r join activities a on a.id = r.activity_id
        where r.kind = 'reply' and r.deleted_at is null and a.deleted_at is null and a.lesson_key is not null) texts`,
  },
];

const columnsOf = (names: readonly string[], table: string) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

/** Every stored count, with the number of rows in which it differs. */
export async function findDifferences(db: Db): Promise<{ name: string; wrong: number }[]> {
  const found: { name: string; wrong: number }[] = [];
  const note = (name: string, rows: { n: number }[]) => void found.push({ name, wrong: rows[0]?.n ?? 0 });
  for (const { table, columns, counted } of COUNTERS) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} kept join ${counted(db)} counted using (id)
      where (${columnsOf(columns, 'kept')}) is distinct from (${columnsOf(columns, 'counted')})`.execute(db);
    note(`${table}.${columns.join(', ')}`, rows);
  }
  for (const { table, keys, column, counted, kept } of ROWS) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${kept(db)} kept full join ${counted(db)} counted using (${sql.join(keys.map((key) => sql.ref(key)))})
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

/** The counters that differ from their recounts, as `table.columns: rows`; empty when all agree. */
export async function differences(db: Db): Promise<string[]> {
  const found = await findDifferences(db);
  return found.filter(({ wrong }) => wrong > 0).map(({ name, wrong }) => `${name}: ${wrong}`);
}

/** Recomputes every counter from the rows, and then the order of feeds. */
export async function settle(db: Db): Promise<void> {
  for (const { table, keys, column, counted } of ROWS) {
    const key = sql.join(keys.map((name) => sql.ref(name)));
    await sql`
      insert into ${sql.table(table)} as kept (${key}, ${sql.ref(column)}) select ${key}, ${sql.ref(column)} from ${counted(db)} counted
      on conflict (${key}) do update set ${sql.ref(column)} = excluded.${sql.ref(column)}
      where ${sql.ref(`kept.${column}`)} <> excluded.${sql.ref(column)}`.execute(db);
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
  for (const { table, columns, counted } of COUNTERS) {
    const values = sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`counted.${name}`)}`));
    await sql`
      update ${sql.table(table)} kept set ${values} from ${counted(db)} counted
      where kept.id = counted.id
        and (${columnsOf(columns, 'kept')}) is distinct from (${columnsOf(columns, 'counted')})`.execute(db);
  }
  await sql`
    update activities set hot = activity_hot(people_points, created_at)
    where deleted_at is null and people_points > 0 and hot <> activity_hot(people_points, created_at)`.execute(db);
}
