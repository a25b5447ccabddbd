// Raw SQL: `lockFetches` calls a function.
import { type Expression, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import { pagePath, type Page } from '#server/page-address.ts';

export type StoredEntry = { id: string; status: 'published' | 'withdrawn' | 'draft'; version: number };

/** Serialises writes of fetched entries, because two entries may contain the same lessons. */
export async function lockFetches(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('content.fetch-entry'))`.execute(db);
}

export async function isPublished(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('entries')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'published')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks stored entries, so that a concurrent withdrawal waits for the import and then applies to its result. */
export async function lockEntries(db: Db, ids: string[]): Promise<Map<string, StoredEntry>> {
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'status', 'version'])
    .where('id', '=', anyOf(ids, 'text'))
    .orderBy('id')
    .forNoKeyUpdate()
    .$narrowType<{ status: StoredEntry['status'] }>()
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, version: Number(row.version) }]));
}

export type FetchedRow = { entry_id: string; version: number };

/** Records fetched versions. Returns the entries for which a newer version was fetched within the last hour. */
export async function putFetched(db: Db, rows: FetchedRow[]): Promise<string[]> {
  const given = sql<FetchedRow>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'r'>(
    sql`r(entry_id text, version bigint)`,
  );
  await db
    .insertInto('fetched_entries')
    .columns(['entry_id', 'version'])
    .expression((eb) => eb.selectFrom(given).select(['r.entry_id', 'r.version']))
    .onConflict((conflict) =>
      conflict
        .column('entry_id')
        .doUpdateSet((eb) => ({ version: eb.ref('excluded.version'), fetched_at: sql`now()` }))
        .where((eb) =>
          eb.or([
            eb('fetched_entries.version', '<=', eb.ref('excluded.version')),
            eb('fetched_entries.fetched_at', '<', sql<Date>`now() - interval '1 hour'`),
          ]),
        ),
    )
    .execute();
  const newer = await db
    .selectFrom('fetched_entries as f')
    .innerJoin(given, 'r.entry_id', 'f.entry_id')
    .select('f.entry_id')
    .whereRef('f.version', '>', 'r.version')
    .execute();
  return newer.map((row) => row.entry_id);
}

/** Returns the academies that do not contain the course yet. */
export async function findAcademiesWithout(db: Db, courseId: string, academyIds: string[]): Promise<string[]> {
  if (academyIds.length === 0) return [];
  const rows = await db
    .selectFrom(sql<{ id: string }>`unnest(${academyIds}::text[])`.as<'g'>(sql`g(id)`))
    .select('g.id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('academy_courses')
            .select('course_id')
            .whereRef('academy_id', '=', 'g.id')
            .where('course_id', '=', courseId),
        ),
      ),
    )
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the storage keys of pictures already stored under these paths, for any entry. */
export async function findPictureKeys(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .selectFrom(sql<{ place: string }>`unnest(${paths}::text[])`.as<'w'>(sql`w(place)`))
    .innerJoin('content_assets as a', (join) =>
      join.on(
        (eb) =>
          sql<boolean>`right(${eb.ref('a.path')}, length(${eb.ref('w.place')}) + 1) = '/' || ${eb.ref('w.place')}`,
      ),
    )
    .distinctOn('w.place')
    .select(['w.place', 'a.key'])
    .orderBy('w.place')
    .execute();
  return new Map(rows.map(({ place, key }) => [place, key]));
}

const pageOf = (...parts: Expression<unknown>[]) => sql<Page>`jsonb_build_array(${sql.join(parts)})`;

/** Returns page paths by entry id. Entries without a page are absent. */
export async function findPages(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const ofOne = (table: 'courses' | 'microcourses' | 'academies', kind: Page[0]) =>
    db
      .selectFrom(table)
      .select(({ ref }) => ['id', pageOf(sql.lit(kind), ref('slug')).as('page')])
      .where('id', '=', ({ fn, val }) => fn.any(val(ids)));
  const rows = await ofOne('courses', 'course')
    .unionAll(ofOne('microcourses', 'microcourse'))
    .unionAll(ofOne('academies', 'academy'))
    .unionAll(
      db
        .selectFrom('communities')
        .select(({ ref }) => ['entry_id as id', pageOf(sql.lit('community'), ref('slug')).as('page')])
        .where('entry_id', '=', ({ fn, val }) => fn.any(val(ids))),
    )
    .unionAll(
      db
        .selectFrom('editorials')
        .select(({ ref }) => ['id', pageOf(ref('kind'), ref('slug')).as('page')])
        .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
        .where('kind', 'in', ['question', 'solution', 'hub', 'event']),
    )
    .unionAll(
      db
        .selectFrom('lessons as l')
        .innerJoin('journeys as j', 'j.key', 'l.journey_key')
        .innerJoin('courses as c', 'c.id', 'j.course_id')
        .select(({ ref }) => [
          'l.id',
          pageOf(sql.lit('lesson'), ref('c.slug'), ref('j.slug'), ref('l.slug')).as('page'),
        ])
        .where('l.id', '=', ({ fn, val }) => fn.any(val(ids)))
        .where('l.withdrawn_at', 'is', null)
        .where('j.withdrawn_at', 'is', null),
    )
    .execute();
  return new Map(rows.map(({ id, page }) => [id, pagePath(page)]));
}

/** The same of carousels and pictures, which appear in hubs: `/carousels/<slug>`. */
export async function findPartPaths(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('editorials')
    .select(({ ref }) => ['id', sql<string>`'/' || ${ref('kind')} || 's/' || ${ref('slug')}`.as('path')])
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where('kind', 'in', ['carousel', 'picture'])
    .execute();
  return new Map(rows.map(({ id, path }) => [id, path]));
}
