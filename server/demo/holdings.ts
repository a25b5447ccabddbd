// Raw SQL: one statement counts everything, and the table of a piece differs by kind.
import type { PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/client.ts';
import { readArticles, readPeople, readPieces, readSitePages } from './read.ts';

/** The parts of the demo, by the addresses of its content and people. */
type DemoNames = { pieces: string; articles: string[]; emails: string[]; pages: string };

let names: Promise<DemoNames> | undefined;

async function readNames(): Promise<DemoNames> {
  const [pieces, articles, people, pages] = await Promise.all([
    readPieces(),
    readArticles(),
    readPeople(),
    readSitePages(),
  ]);
  return {
    pieces: JSON.stringify(pieces),
    articles: articles.map(({ title }) => title),
    emails: people.map(({ email }) => email),
    pages: JSON.stringify(pages),
  };
}

/** The files of the demo do not change while a process runs. */
const demoNames = async () => await (names ??= readNames());

/** The demo's pieces with their keys, and whether they are published; `nth` is the order in which they are withdrawn. */
const found = ({ pieces }: DemoNames) => sql`found as materialized (
  with demo as (select t.kind, t.slug, t.course, nth from jsonb_array_elements(${pieces}::jsonb) with ordinality r (value, nth)
    cross join jsonb_to_record(value) as t (kind text, slug text, course text)),
  held as (
    select 'academy' as kind, id as key, id as entry_id, slug from academies
    union all select 'course', id, id, slug from courses
    union all select 'microcourse', id, id, slug from microcourses
    union all select 'community', entry_id, entry_id, slug from communities
    union all select kind, id, id, slug from editorials)
  select d.kind, h.key, d.nth, e.status = 'published' as is_shown from demo d
    join held h on h.kind = d.kind and h.slug = d.slug join entries e on e.id = h.entry_id
  union all
  select d.kind, j.key::text, d.nth, j.withdrawn_at is null from demo d
    join courses c on c.slug = d.course join journeys j on j.course_id = c.id and j.slug = d.slug
  where d.kind = 'journey')`;

/** Articles of the demo; those of erased accounts have lost the address of their author. */
const ARTICLES = ({ articles, emails }: DemoNames) => sql`
  from articles a join users u on u.id = a.author_id
  where a.title = any(${articles}::text[]) and a.withdrawn_at is null
    and (u.email = any(${emails}::text[]) or u.erased_at is not null)`;

/** The texts of the site's pages that nobody has changed since the demo wrote them. */
const PAGES = ({ pages }: DemoNames): RawBuilder<unknown> => sql`
  from jsonb_to_recordset(${pages}::jsonb) as d (kind text, locale text, body text)
  join site_page_versions v on v.kind = d.kind and v.locale = d.locale and v.version = 1 and v.body = d.body
  where not exists (select from site_page_versions n where n.kind = v.kind and n.locale = v.locale and n.version > 1)`;

export type DemoHoldings = {
  pieces: { kind: PieceKind | 'article'; count: number }[];
  sitePages: number;
  accounts: number;
  keepsOwn: boolean;
  learners: number;
  members: number;
};

/** Counts what is left of the demo, and the others who use it. */
export async function countHoldings(db: Db, viewerId: string): Promise<DemoHoldings> {
  const demo = await demoNames();
  const real = sql`u.erased_at is null and u.email <> all(${demo.emails}::text[])`;
  const { rows } = await sql<DemoHoldings>`
    with ${found(demo)},
    counted as (
      select kind, count(*)::int as count, min(nth) as nth from found where is_shown group by kind
      union all select 'article', count(*)::int, 1000 ${ARTICLES(demo)} having count(*) > 0)
    select
      coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'count', count) order by nth) from counted), '[]') as pieces,
      (select count(*)::int ${PAGES(demo)}) as "sitePages",
      (select count(*)::int from users u where u.email = any(${demo.emails}::text[]) and u.id <> ${viewerId}) as accounts,
      exists (select from users u where u.email = any(${demo.emails}::text[]) and u.id = ${viewerId}) as "keepsOwn",
      (select count(distinct l.user_id)::int from (
        select e.user_id from journey_enrolments e join found f on f.kind = 'journey' and f.key = e.journey_key::text
        union all
        select m.user_id from microcourse_completions m join found f on f.kind = 'microcourse' and f.key = m.microcourse_id
      ) l join users u on u.id = l.user_id where ${real}) as learners,
      (select count(distinct m.user_id)::int from community_members m join communities c on c.id = m.community_id
        join found f on f.kind = 'community' and f.key = c.entry_id
        join users u on u.id = m.user_id where m.status = 'active' and ${real}) as members`.execute(db);
  return rows[0]!; // a select without a table has one row
}

/** The demo's published pieces, in the order in which they are withdrawn. */
export async function findShownPieces(db: Db): Promise<{ kind: PieceKind; key: string }[]> {
  const { rows } = await sql<{ kind: PieceKind; key: string }>`
    with ${found(await demoNames())} select kind, key from found where is_shown order by nth`.execute(db);
  return rows;
}

export async function findShownArticles(db: Db): Promise<{ slug: string; authorId: string }[]> {
  const { rows } = await sql<{ slug: string; authorId: string }>`
    select a.slug, a.author_id as "authorId" ${ARTICLES(await demoNames())} order by a.id`.execute(db);
  return rows;
}

/** The accounts of the demo, oldest first. */
export async function findAccounts(db: Db): Promise<string[]> {
  const { emails } = await demoNames();
  const rows = await db.selectFrom('users').select('id').where('email', 'in', emails).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

export async function findUnchangedPages(db: Db): Promise<{ kind: string; locale: string }[]> {
  const { rows } = await sql<{ kind: string; locale: string }>`
    select v.kind, v.locale ${PAGES(await demoNames())} order by v.kind, v.locale`.execute(db);
  return rows;
}
