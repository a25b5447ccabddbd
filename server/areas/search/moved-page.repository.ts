// Raw SQL: the table depends on the kind of page.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Tables of pages with slugs, by kind. A slug is unique within its `parent`. */
const TABLES = {
  academy: { table: 'academies', key: 'id', type: 'text', parent: undefined },
  course: { table: 'courses', key: 'id', type: 'text', parent: undefined },
  journey: { table: 'journeys', key: 'key', type: 'uuid', parent: { column: 'course_id', type: 'text' } },
  lesson: { table: 'lessons', key: 'key', type: 'uuid', parent: { column: 'journey_key', type: 'uuid' } },
  microcourse: { table: 'microcourses', key: 'id', type: 'text', parent: undefined },
  community: { table: 'communities', key: 'id', type: 'uuid', parent: undefined },
  question: { table: 'editorials', key: 'id', type: 'text', parent: undefined },
  solution: { table: 'editorials', key: 'id', type: 'text', parent: undefined },
  event: { table: 'editorials', key: 'id', type: 'text', parent: undefined },
  hub: { table: 'editorials', key: 'id', type: 'text', parent: undefined },
} as const;

export type MovedKind = keyof typeof TABLES;
export type MovedRow = { key: string; slug: string };

/** The page that has this slug, else the one that had it last, with its current slug. */
export async function findBySlug(
  db: Db,
  { kind, slug, parent = '' }: { kind: MovedKind; slug: string; parent?: string },
): Promise<MovedRow | undefined> {
  const { table, key, type, parent: within } = TABLES[kind];
  const t = sql`${sql.table(table)} t`;
  const isOfKind = table === 'editorials' ? sql`and t.kind = ${kind}` : sql``;
  const isWithin = within ? sql`and t.${sql.ref(within.column)} = ${parent}::${sql.raw(within.type)}` : sql``;
  const { rows } = await sql<MovedRow>`
    select t.${sql.ref(key)}::text as key, t.slug, 1 as rank from ${t} where t.slug = ${slug} ${isOfKind} ${isWithin}
    union all
    select t.${sql.ref(key)}::text, t.slug, 2 from former_slugs f
    join ${t} on t.${sql.ref(key)} = f.key::${sql.raw(type)} ${isOfKind} ${isWithin}
    where f.kind = ${kind} and f.parent = ${parent} and f.slug = ${slug}
    order by rank limit 1`.execute(db);
  return rows[0];
}
