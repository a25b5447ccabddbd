import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Where pages with slugs are kept, by kind; `parent` is what a slug is unique within. */
const TABLES = {
  academy: { table: 'academies', key: 'id', parent: undefined },
  course: { table: 'courses', key: 'id', parent: undefined },
  journey: { table: 'journeys', key: 'key', parent: 'course_id' },
  lesson: { table: 'lessons', key: 'key', parent: 'journey_key' },
  microcourse: { table: 'microcourses', key: 'id', parent: undefined },
  community: { table: 'communities', key: 'id', parent: undefined },
} as const;

export type MovedKind = keyof typeof TABLES;
export type MovedRow = { key: string; slug: string };

/** The page that has this slug, or else the one that had it last, with its slug of now. */
export async function findBySlug(
  db: Db,
  { kind, slug, parent = '' }: { kind: MovedKind; slug: string; parent?: string },
): Promise<MovedRow | undefined> {
  const { table, key, parent: within } = TABLES[kind];
  const t = sql`${sql.table(table)} t`;
  const isWithin = within ? sql`and t.${sql.ref(within)}::text = ${parent}` : sql``;
  const { rows } = await sql<MovedRow>`
    select t.${sql.ref(key)}::text as key, t.slug, 1 as place from ${t} where t.slug = ${slug} ${isWithin}
    union all
    select t.${sql.ref(key)}::text, t.slug, 2 from former_slugs f join ${t} on t.${sql.ref(key)}::text = f.key ${isWithin}
    where f.kind = ${kind} and f.parent = ${parent} and f.slug = ${slug}
    order by place limit 1`.execute(db);
  return rows[0];
}
