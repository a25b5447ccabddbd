import type { EditorialKind } from '@officium/contract/editorials';
import type { Locale, LocalizedText } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';

export type EditorialFactsRow = {
  id: string;
  kind: EditorialKind;
  slug: string;
  title: LocalizedText;
  summary: LocalizedText;
  human_translation: boolean;
  cover_key: string | null;
  cover_alt: LocalizedText;
  /** Languages of its text, or of its title when it has no text. */
  locales: Locale[];
  can_view: Scope;
  can_join: Scope;
  is_granted: boolean;
};

export type EditorialAsk = {
  userId: string;
  kind?: EditorialKind | undefined;
  named?: { by: 'slug' | 'id'; values: string[] } | undefined;
  /** Only those that link to this course or one of its lessons. */
  courseId?: string | undefined;
};

/** Published editorials with what a viewer holds of them, in the order of the catalogue. */
export async function findEditorialFacts(db: Db, ask: EditorialAsk): Promise<EditorialFactsRow[]> {
  const { userId, kind, named, courseId } = ask;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (kind !== undefined) conditions.push(sql`e.kind = ${kind}`);
  if (named !== undefined) conditions.push(sql`${sql.ref(`e.${named.by}`)} = any(${named.values}::text[])`);
  if (courseId !== undefined) conditions.push(leadsTo(courseId));
  const { rows } = await sql<EditorialFactsRow>`
    select e.id, e.kind, e.slug, e.title, e.summary, e.human_translation, f.key as cover_key, e.cover_alt,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      coalesce((select jsonb_agg(b.locale order by b.locale) from bodies b where b.editorial_id = e.id),
        (select jsonb_agg(l order by l) from jsonb_object_keys(e.title) l), '[]') as locales,
      is_granted(${userId}, e.id) as is_granted
    from editorials e
    join entries x on x.id = e.id and x.status = 'published'
    left join products p on p.entry_id = e.id
    left join content_assets f on f.path = e.cover
    where ${sql.join(conditions, sql` and `)}
    order by e.position, e.slug`.execute(db);
  return rows;
}

const leadsTo = (courseId: string) => sql`
  exists (select from editorial_items i where i.editorial_id = e.id and (
    i.kind = 'course' and i.key = ${courseId}
    or i.kind = 'lesson' and i.key in (select l.key::text from journeys j join lessons l on l.journey_key = j.key
      where j.course_id = ${courseId} and j.withdrawn_at is null and l.withdrawn_at is null)))`;

export type EditorialBodyRow = {
  editorial_id: string;
  locale: Locale;
  html: string;
  headings: { level: number; id: string; text: string }[];
};

/** The text of each in the first language of `chain` that has one, else in any language. */
export async function findEditorialBodies(
  db: Db,
  { ids, chain }: { ids: string[]; chain: Locale[] },
): Promise<Map<string, EditorialBodyRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<EditorialBodyRow>`
    select distinct on (editorial_id) editorial_id, locale, html, headings from bodies
    where editorial_id = any(${ids}::text[])
    order by editorial_id, array_position(${chain}::text[], locale) nulls last, locale`.execute(db);
  return new Map(rows.map((row) => [row.editorial_id, row]));
}

export type EditorialItemRow = { editorial_id: string; kind: string; key: string };

/** The links of these editorials, in order. */
export async function findEditorialItems(db: Db, ids: string[]): Promise<EditorialItemRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<EditorialItemRow>`
    select editorial_id, kind, key from editorial_items where editorial_id = any(${ids}::text[])
    order by editorial_id, position`.execute(db);
  return rows;
}

/** The rows at these paths, published or not; paths that lead nowhere are absent. */
export async function findContentAt(db: Db, paths: string[]): Promise<Map<string, { kind: string; key: string }>> {
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ path: string; kind: string; key: string }>`
    select p.path, c.kind, c.key from unnest(${paths}::text[]) as p(path)
    cross join lateral content_at(p.path) c`.execute(db);
  return new Map(rows.map(({ path, kind, key }) => [path, { kind, key }]));
}
