import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { pagePath, type Page } from '#server/page-address.ts';

export type StoredEntry = { id: string; status: 'published' | 'withdrawn' | 'draft'; version: number };

/** One fetched entry is written at a time: two may hold the same lessons. */
export async function lockFetches(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('content.fetch-entry'))`.execute(db);
}

export async function isPublished(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from entries where id = ${id} and status = 'published'`.execute(db);
  return rows.length > 0;
}

/** The entries as they are stored, held so that a withdrawal waits for the import and then finds what it published. */
export async function lockEntries(db: Db, ids: string[]): Promise<Map<string, StoredEntry>> {
  const { rows } = await sql<StoredEntry>`
    select id, status, version from entries where id = any(${ids}) order by id for no key update`.execute(db);
  return new Map(rows.map((row) => [row.id, { ...row, version: Number(row.version) }]));
}

export type FetchedRow = { entry_id: string; version: number };

/** Notes what was fetched; answers the entries of which a newer version was fetched within the hour. */
export async function putFetched(db: Db, rows: FetchedRow[]): Promise<string[]> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(entry_id text, version bigint)`;
  await sql`
    insert into fetched_entries as f (entry_id, version) select r.entry_id, r.version from ${given}
    on conflict (entry_id) do update set version = excluded.version, fetched_at = now()
    where f.version <= excluded.version or f.fetched_at < now() - interval '1 hour'`.execute(db);
  const { rows: newer } = await sql<{ entry_id: string }>`
    select f.entry_id from fetched_entries f join ${given} on r.entry_id = f.entry_id
    where f.version > r.version`.execute(db);
  return newer.map((row) => row.entry_id);
}

/** Of these academies, those that do not have the course yet. */
export async function findAcademiesWithout(db: Db, courseId: string, academyIds: string[]): Promise<string[]> {
  if (academyIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select g.id from unnest(${academyIds}::text[]) as g(id)
    where not exists (select from academy_courses where academy_id = g.id and course_id = ${courseId})`.execute(db);
  return rows.map((row) => row.id);
}

/** The keys in the file store of pictures that stand at these places already, whatever they belong to. */
export async function findPictureKeys(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ place: string; key: string }>`
    select distinct on (place) w.place, a.key from unnest(${paths}::text[]) as w(place)
    join content_assets a on right(a.path, length(w.place) + 1) = '/' || w.place order by place`.execute(db);
  return new Map(rows.map(({ place, key }) => [place, key]));
}

/** The pages of entries, by id; of an entry without one there is none. */
export async function findPages(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; page: Page }>`
    select id, jsonb_build_array('course', slug) as page from courses where id = any(${ids})
    union all select id, jsonb_build_array('microcourse', slug) from microcourses where id = any(${ids})
    union all select id, jsonb_build_array('academy', slug) from academies where id = any(${ids})
    union all select entry_id, jsonb_build_array('community', slug) from communities where entry_id = any(${ids})
    union all select l.id, jsonb_build_array('lesson', c.slug, j.slug, l.slug)
      from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
      where l.id = any(${ids}) and l.withdrawn_at is null and j.withdrawn_at is null`.execute(db);
  return new Map(rows.map(({ id, page }) => [id, pagePath(page)]));
}
