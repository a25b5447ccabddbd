// Raw SQL: the searches share lateral joins that compute the slugs and titles of an entry.
import type { LocalizedText } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { scopeOrPrivate } from './scope.sql.ts';

export type ScopesRow = { can_view: Scope; can_join: Scope };
export type ProductRow = ScopesRow & {
  id: string;
  content_type: string;
  slugs: LocalizedText;
  titles: LocalizedText;
  /** The titles of the course of a journey. */
  course_titles: LocalizedText | null;
};

const COLUMNS = sql`p.entry_id as id, p.content_type, p.can_view, p.can_join, t.slugs, t.titles,
  o.title as course_titles`;

/** Joins the slugs and titles of entry `e`, from the catalogue or, for plain entries, from their fields. */
const TEXTS = sql`left join courses c on c.id = e.id
  left join academies a on a.id = e.id
  left join microcourses m on m.id = e.id
  left join journeys j on j.entry_id = e.id
  left join courses o on o.id = j.course_id
  left join communities y on y.entry_id = e.id
  left join editorials d on d.id = e.id
  cross join lateral (select
    coalesce(jsonb_build_object('en', coalesce(c.slug, a.slug, m.slug, j.slug, y.slug, d.slug)), '{}') as own,
    coalesce(c.title, a.title, m.title, j.title, y.title, d.title,
      case when jsonb_typeof(e.fields->'title') = 'object' then e.fields->'title' end,
      case when jsonb_typeof(e.fields->'name') = 'object' then e.fields->'name' end, '{}') as titles) n
  cross join lateral (select case when n.own->>'en' is null then e.slug else n.own end as slugs, n.titles) t`;

const SOURCE = sql`products p join entries e on e.id = p.entry_id ${TEXTS}`;

/** Escapes % and _, so that `match` is searched literally. */
function like(match: string): string {
  return `%${match.replace(/[\\%_]/g, '\\$&')}%`;
}

function matches(match: string): RawBuilder<unknown> {
  return match === ''
    ? sql`true`
    : sql`(e.id ilike ${like(match)}
        or exists (select 1 from jsonb_each_text(t.titles) v where v.value ilike ${like(match)})
        or exists (select 1 from jsonb_each_text(t.slugs) v where v.value ilike ${like(match)}))`;
}

export async function findProducts(
  db: Db,
  { contentType, match, limit, skip }: { contentType: string; match: string; limit: number; skip: number },
): Promise<{ rows: ProductRow[]; total: number }> {
  const where = sql`p.content_type = ${contentType} and e.status <> 'withdrawn' and ${matches(match)}`;
  const { rows } = await sql<ProductRow>`
    select ${COLUMNS} from ${SOURCE} where ${where}
    order by lower(coalesce(t.titles->>'en', (select min(value) from jsonb_each_text(t.titles)), p.entry_id)), p.entry_id
    limit ${limit} offset ${skip}`.execute(db);
  const { rows: counted } = await sql<{
    total: number;
  }>`select count(*)::int as total from ${SOURCE} where ${where}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

export type EntryAccessRow = {
  id: string;
  content_type: string;
  slugs: LocalizedText;
  titles: LocalizedText;
  course_titles: LocalizedText | null;
  can_view: Scope | null;
  can_join: Scope | null;
  is_set: boolean | null;
  updated_at: Date | null;
  /** Facts of a journey's course; null for other products. */
  course_view: Scope | null;
  course_join: Scope | null;
  is_course_set: boolean;
  is_by_invitation: boolean;
  is_join_by_invitation: boolean;
};

/** Further facts that decide access to entry `e`: its course, and restrictions of the content. */
const RULES = sql`
  case when j.key is not null then coalesce(jp.can_view, 'private') end as course_view,
  case when j.key is not null then coalesce(jp.can_join, 'private') end as course_join,
  coalesce(jp.is_set, false) as is_course_set,
  coalesce(coalesce(jc.type, c.type) = 'Private' or j.privacy like '%-private' or y.privacy = 'closed-hidden', false) as is_by_invitation,
  coalesce(j.privacy not like 'open-%', false) as is_join_by_invitation`;

const SCOPE_ORDER = (column: RawBuilder<unknown>) =>
  sql`array_position(array['public', 'authenticated', 'verified', 'private'], ${column})`;
const ENTRY_ORDERS = {
  title: sql`f.sorted`,
  type: sql`f.content_type`,
  view: SCOPE_ORDER(sql`f.can_view`),
  join: SCOPE_ORDER(sql`f.can_join`),
};
export type EntryOrder = keyof typeof ENTRY_ORDERS;

/** Returns a page of the entries that match, with the scopes of those that are products, and the total count. */
export async function findEntryAccess(
  db: Db,
  search: {
    types: readonly string[];
    isRegistered: boolean | undefined;
    match: string;
    locale: string;
    order: EntryOrder;
    isDown: boolean;
    limit: number;
    offset: number;
  },
): Promise<{ rows: EntryAccessRow[]; total: number }> {
  const state =
    search.isRegistered === undefined
      ? sql`true`
      : search.isRegistered
        ? sql`p.entry_id is not null`
        : sql`p.entry_id is null`;
  const direction = search.isDown ? sql`desc nulls last` : sql`asc nulls last`;
  const { rows } = await sql<EntryAccessRow & { id: string | null; total: number }>`
    with found as materialized (
      select e.id, e.content_type, t.slugs, t.titles, o.title as course_titles, p.can_view, p.can_join, p.is_set,
        p.updated_at, ${RULES},
        lower(coalesce(t.titles->>${search.locale}, t.titles->>'en',
          (select min(value) from jsonb_each_text(t.titles)), t.slugs->>'en', e.id)) as sorted
      from entries e left join products p on p.entry_id = e.id ${TEXTS}
      left join courses jc on jc.id = j.course_id left join products jp on jp.entry_id = j.course_id
      where e.content_type = any(${[...search.types]}::text[]) and e.status <> 'withdrawn' and ${state} and ${matches(search.match)})
    select t.total, f.*
    from (select count(*)::int as total from found) t
    left join lateral (
      select f.*, row_number() over (order by ${ENTRY_ORDERS[search.order]} ${direction}, f.sorted, f.id) as nth
      from found f order by nth limit ${search.limit} offset ${search.offset}) f on true
    order by f.nth`.execute(db);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** Returns products, including withdrawn ones, in the order of `ids`. */
export async function findProductsById(db: Db, ids: string[]): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select ${COLUMNS} from ${SOURCE} where p.entry_id = any(${ids}::text[])
    order by array_position(${ids}::text[], p.entry_id)`.execute(db);
  return rows;
}

export async function hasEntry(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('entries').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Creates the product of an entry; false when it exists. */
export async function insertProduct(db: Db, id: string): Promise<boolean> {
  const row = await db
    .insertInto('products')
    .columns(['entry_id', 'content_type'])
    .expression((eb) => eb.selectFrom('entries').select(['id', 'content_type']).where('id', '=', id))
    .onConflict((conflict) => conflict.column('entry_id').doNothing())
    .returning('entry_id')
    .executeTakeFirst();
  return row !== undefined;
}

const selectScopes = (db: Db, id: string) =>
  db
    .selectFrom('products')
    .select(['can_view', 'can_join'])
    .where('entry_id', '=', id)
    .$narrowType<{ can_view: Scope; can_join: Scope }>();

export async function getScopes(db: Db, id: string): Promise<ScopesRow | undefined> {
  return await selectScopes(db, id).executeTakeFirst();
}

export async function lockScopes(db: Db, id: string): Promise<ScopesRow | undefined> {
  return await selectScopes(db, id).forUpdate().executeTakeFirst();
}

/** The scopes of the course of a journey that is a product; undefined for other products. */
export async function getCourseScopes(db: Db, id: string): Promise<ScopesRow | undefined> {
  return await db
    .selectFrom('journeys as j')
    .leftJoin('products as q', 'q.entry_id', 'j.course_id')
    .select(({ ref }) => [
      scopeOrPrivate(ref('q.can_view')).as('can_view'),
      scopeOrPrivate(ref('q.can_join')).as('can_join'),
    ])
    .where('j.entry_id', '=', id)
    .executeTakeFirst();
}

export async function unsetScopes(db: Db, id: string): Promise<void> {
  await db
    .updateTable('products')
    .set({ is_set: false, updated_at: sql`now()` })
    .where('entry_id', '=', id)
    .execute();
}

export async function updateScopes(db: Db, id: string, { can_view, can_join }: ScopesRow): Promise<void> {
  await db
    .updateTable('products')
    .set({ can_view, can_join, is_set: true, updated_at: sql`now()` })
    .where('entry_id', '=', id)
    .execute();
}
