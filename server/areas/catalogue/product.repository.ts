import type { LocalizedText } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';

export type ScopesRow = { can_view: Scope; can_join: Scope };
export type ProductRow = ScopesRow & {
  id: string;
  content_type: string;
  slugs: LocalizedText;
  titles: LocalizedText;
};

const COLUMNS = sql`p.entry_id as id, p.content_type, p.can_view, p.can_join, t.slugs, t.titles`;

/** The texts of an entry, which stand in the catalogue or, for other entries, in their fields. */
const TEXTS = sql`left join courses c on c.id = e.id
  left join academies a on a.id = e.id
  left join microcourses m on m.id = e.id
  left join journeys j on j.entry_id = e.id
  left join communities y on y.entry_id = e.id
  cross join lateral (select
    coalesce(jsonb_build_object('en', coalesce(c.slug, a.slug, m.slug, j.slug, y.slug)), '{}') as own,
    coalesce(c.title, a.title, m.title, j.title, y.title,
      case when jsonb_typeof(e.fields->'title') = 'object' then e.fields->'title' end,
      case when jsonb_typeof(e.fields->'name') = 'object' then e.fields->'name' end, '{}') as titles) n
  cross join lateral (select case when n.own->>'en' is null then e.slug else n.own end as slugs, n.titles) t`;

const SOURCE = sql`products p join entries e on e.id = p.entry_id ${TEXTS}`;

/** What `match` says, with % and _ as letters. */
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
  can_view: Scope | null;
  can_join: Scope | null;
  updated_at: Date | null;
};

const SCOPE_ORDER = (column: RawBuilder<unknown>) =>
  sql`array_position(array['public', 'authenticated', 'verified', 'private'], ${column})`;
const ENTRY_ORDERS = {
  title: sql`f.sorted`,
  type: sql`f.content_type`,
  view: SCOPE_ORDER(sql`f.can_view`),
  join: SCOPE_ORDER(sql`f.can_join`),
};
export type EntryOrder = keyof typeof ENTRY_ORDERS;

/** Entries of these types, products or not, with their scopes: a page of those that match, and how many there are. */
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
      select e.id, e.content_type, t.slugs, t.titles, p.can_view, p.can_join, p.updated_at,
        lower(coalesce(t.titles->>${search.locale}, t.titles->>'en',
          (select min(value) from jsonb_each_text(t.titles)), t.slugs->>'en', e.id)) as sorted
      from entries e left join products p on p.entry_id = e.id ${TEXTS}
      where e.content_type = any(${[...search.types]}::text[]) and e.status <> 'withdrawn' and ${state} and ${matches(search.match)})
    select t.total, f.*
    from (select count(*)::int as total from found) t
    left join lateral (
      select f.*, row_number() over (order by ${ENTRY_ORDERS[search.order]} ${direction}, f.sorted, f.id) as nth
      from found f order by nth limit ${search.limit} offset ${search.offset}) f on true
    order by f.nth`.execute(db);
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 };
}

/** The products of these ids, in their order, withdrawn ones too. */
export async function findProductsById(db: Db, ids: string[]): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select ${COLUMNS} from ${SOURCE} where p.entry_id = any(${ids}::text[])
    order by array_position(${ids}::text[], p.entry_id)`.execute(db);
  return rows;
}

export async function hasEntry(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from entries where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** Makes a product of an entry; false when it is one. */
export async function insertProduct(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into products (entry_id, content_type) select id, content_type from entries where id = ${id}
    on conflict (entry_id) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

export async function getScopes(db: Db, id: string): Promise<ScopesRow | undefined> {
  const { rows } = await sql<ScopesRow>`select can_view, can_join from products where entry_id = ${id}`.execute(db);
  return rows[0];
}

export async function lockScopes(db: Db, id: string): Promise<ScopesRow | undefined> {
  const { rows } = await sql<ScopesRow>`
    select can_view, can_join from products where entry_id = ${id} for update`.execute(db);
  return rows[0];
}

export async function updateScopes(db: Db, id: string, { can_view, can_join }: ScopesRow): Promise<void> {
  await sql`
    update products set can_view = ${can_view}, can_join = ${can_join},
      is_set = true, updated_at = now()
    where entry_id = ${id}`.execute(db);
}
