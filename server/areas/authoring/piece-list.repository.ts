// Raw SQL: full joins of drafts with a union of all catalogue tables.
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { LISTED_KINDS, PIECE_SORTS, PIECE_STATES } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { isIn, PART_COUNTS, PIECES, placedUnder, type Places, TITLE } from './piece-list.sql.ts';

type State = (typeof PIECE_STATES)[number];
type Parent = { key: string; title: LocalizedText };
export type ListedRow = {
  kind: (typeof LISTED_KINDS)[number];
  key: string;
  slug: string;
  title: LocalizedText;
  state: State;
  languages: Locale[];
  updatedAt: Date;
  course: Parent | null;
  journey: Parent | null;
  under: string | null;
  section: { number: number; heading: LocalizedText } | null;
  parts: number;
  rank: string;
};
/** A position in a list: the rank of a piece in its order, and the piece. */
export type ListPosition = Pick<ListedRow, 'rank' | 'kind' | 'key'>;
export type ListFilter = {
  kind?: ListedRow['kind'] | undefined;
  state?: State | undefined;
  language?: Locale | undefined;
  missing?: Locale | undefined;
  q?: string | undefined;
  /** `top`, or parents as `kind:key`. */
  under?: string[] | undefined;
  sort: (typeof PIECE_SORTS)[number];
  limit: number;
  offset: number;
  after: ListPosition | undefined;
  places: Places;
};

const UPDATED = sql`to_char(i."updatedAt" at time zone 'UTC', 'YYYYMMDDHH24MISSUS')`;
const RANKS: Record<string, RawBuilder<unknown>> = {
  title: TITLE,
  updated: UPDATED,
  kind: sql`i.kind || ' ' || ${TITLE}`,
};

function conditionsOf({ kind, state, language, missing, q, places }: ListFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [isIn(places)];
  if (kind) conditions.push(sql`i.kind = ${kind}`);
  if (state) conditions.push(sql`i.state = ${state}`);
  if (language) conditions.push(sql`${language} = any(i.languages)`);
  if (missing) conditions.push(sql`not (${missing} = any(i.languages) or ${missing} = any(i.drafted))`);
  if (q) {
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(i.slug ilike ${like}
      or exists (select from jsonb_each_text(i.title) t where t.value ilike ${like}))`);
  }
  return sql.join(conditions, sql` and `);
}

/** A page of the pieces in their order. With several parents, a page of each. */
export async function findPieces(db: Db, filter: ListFilter): Promise<{ rows: ListedRow[]; total: number }> {
  const { under, sort, limit, offset, after, places } = filter;
  const isDown = under === undefined && sort.startsWith('-');
  const way = sql.raw(isDown ? 'desc' : 'asc');
  const order = sql`f.under ${way}, f.rank ${way}, f.kind ${way}, f.key ${way}`;
  const found = under
    ? sql`select i.*, p.under, p.section, p.rank from pieces i join placed p on p.kind = i.kind and p.key = i.key`
    : sql`select i.*, null as under, null::jsonb as section, ${RANKS[sort.replace('-', '')]} as rank from pieces i`;
  const beyond = after
    ? sql`(f.rank, f.kind, f.key) ${sql.raw(isDown ? '<' : '>')} (${after.rank}, ${after.kind}, ${after.key})`
    : sql`true`;
  const { rows } = await sql<ListedRow & { total: number }>`
    with pieces as materialized (${PIECES}),
    ${under ? sql`${placedUnder(under, places)},` : sql``}
    found as materialized (${found} where ${conditionsOf(filter)}),
    page as (select f.*, row_number() over (partition by f.under order by ${order}) as nth from found f where ${beyond})
    select f.kind, f.key, f.slug, f.title, f.state, f.languages, f."updatedAt", f.under, f.section, f.rank, n.total,
      coalesce(a.parts, 0) as parts,
      case when f.kind in ('journey', 'lesson') then
        (select jsonb_build_object('key', c.key, 'title', c.title) from pieces c
          where c.kind = 'course' and c.key = f.course_id) end as course,
      (select jsonb_build_object('key', j.key, 'title', j.title) from pieces j
        where j.kind = 'journey' and j.key = f.journey_key) as journey
    from (select count(*)::int as total from found) n
    left join page f on f.nth > ${offset} and f.nth <= ${offset + limit}
    left join (${PART_COUNTS}) a on a.kind = f.kind and a.key = f.key
    order by ${order}`.execute(db);
  return { rows: rows.filter((row) => row.key !== null), total: rows[0]?.total ?? 0 };
}
