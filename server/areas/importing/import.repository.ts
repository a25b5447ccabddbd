import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { KnownRow } from './match.policy.ts';
import { upsertChanged } from './upsert.sql.ts';

export type Texts = Record<string, string>;
export type ChangedRow = { key: unknown[]; isNew: boolean }[];

/** One import at a time. */
export async function lockImport(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('content.import'))`.execute(db);
}

type Catalogue = 'academies' | 'courses' | 'microcourses';

export type PlacedRow = KnownRow & { position: number };

/** What is stored of a kind; `key` is the entry's id. */
export async function findItems(db: Db, table: Catalogue): Promise<PlacedRow[]> {
  const rows = await db.selectFrom(table).select(['id', 'slug', 'position']).execute();
  return rows.map((row) => ({ ...row, key: row.id }));
}

export async function findCommunities(db: Db): Promise<(PlacedRow & { communityId: string })[]> {
  const rows = await db.selectFrom('communities').select(['id', 'entry_id', 'slug', 'position']).execute();
  return rows.map(({ id, entry_id, slug, position }) => ({
    key: entry_id,
    id: entry_id,
    slug,
    position,
    communityId: id,
  }));
}

export type JourneyKnown = KnownRow & { courseId: string; entryId: string | null; isWithdrawn: boolean };

export async function findJourneys(db: Db, courseIds: string[]): Promise<JourneyKnown[]> {
  if (courseIds.length === 0) return [];
  const rows = await db
    .selectFrom('journeys')
    .select(['key', 'course_id', 'entry_id', 'id', 'slug', 'withdrawn_at'])
    .where('course_id', 'in', courseIds)
    .execute();
  return rows.map((row) => ({
    key: row.key,
    id: row.id,
    slug: row.slug,
    courseId: row.course_id,
    entryId: row.entry_id,
    isWithdrawn: row.withdrawn_at !== null,
  }));
}

export async function findJourneyEntries(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('journeys').select('entry_id').where('entry_id', 'is not', null).execute();
  return rows.flatMap((row) => row.entry_id ?? []);
}

export type LessonKnown = KnownRow & { journeyKey: string; isWithdrawn: boolean };

export async function findLessons(db: Db, journeyKeys: string[]): Promise<LessonKnown[]> {
  if (journeyKeys.length === 0) return [];
  const rows = await db
    .selectFrom('lessons')
    .select(['key', 'journey_key', 'id', 'slug', 'withdrawn_at'])
    .where('journey_key', 'in', journeyKeys)
    .execute();
  return rows.map((row) => ({
    key: row.key,
    id: row.id,
    slug: row.slug,
    journeyKey: row.journey_key,
    isWithdrawn: row.withdrawn_at !== null,
  }));
}

/** The types of the entries that have these ids. */
export async function findEntryTypes(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('entries').select(['id', 'content_type']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.content_type]));
}

export type EntryRow = {
  id: string;
  content_type: string;
  status: 'published' | 'withdrawn' | 'draft';
  source: 'folder' | 'export' | 'webhook' | 'authoring';
  slug: Texts;
  fields: Record<string, unknown>;
};

export async function putEntries(db: Db, rows: EntryRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'entries',
    columns: { id: 'text', content_type: 'text', status: 'text', source: 'text', slug: 'jsonb', fields: 'jsonb' },
    key: ['id'],
    touch: 'updated_at',
    rows,
  });
}

/** Marks entries as imported from an export without touching what the export said of them. */
export async function publishEntries(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update entries set status = 'published', updated_at = now() where id = any(${ids}) and status <> 'published'`.execute(
    db,
  );
}

export async function withdrawEntries(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update entries set status = 'withdrawn', updated_at = now() where id = any(${ids}) and status <> 'withdrawn'`.execute(
    db,
  );
}

export type ImportedProductRow = { entry_id: string; content_type: string; can_view: string; can_join: string };

export async function putProducts(db: Db, rows: ImportedProductRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'products',
    columns: { entry_id: 'text', content_type: 'text', can_view: 'text', can_join: 'text' },
    key: ['entry_id'],
    onlyNew: ['can_view', 'can_join'],
    touch: 'updated_at',
    rows,
  });
}

export type AssetRow = { path: string; entry_id: string; key: string; mime: string; bytes: number; hash: string };

/** Answers the entries for which that changed something. `deleteOtherAssets` takes away what is not among them. */
export async function putAssets(db: Db, rows: AssetRow[]): Promise<string[]> {
  const changed = await upsertChanged(db, {
    table: 'content_assets',
    columns: { path: 'text', entry_id: 'text', key: 'text', mime: 'text', bytes: 'integer', hash: 'text' },
    key: ['path'],
    rows,
  });
  const entryOf = new Map(rows.map((row) => [row.path, row.entry_id]));
  return changed.map(({ key }) => entryOf.get(String(key[0])) ?? '');
}

/** After the covers that may have named them were set anew. */
export async function deleteOtherAssets(db: Db, entryIds: string[], paths: string[]): Promise<string[]> {
  if (entryIds.length === 0) return [];
  const { rows } = await sql<{ entry_id: string }>`
    delete from content_assets where entry_id = any(${entryIds}) and not path = any(${paths}) returning entry_id`.execute(
    db,
  );
  return rows.map((row) => row.entry_id);
}

/** Frees slugs that other rows of the same table are about to take. */
export async function freeSlugs(
  db: Db,
  table: Catalogue | 'journeys' | 'lessons' | 'communities',
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const column = table === 'journeys' || table === 'lessons' ? 'key' : table === 'communities' ? 'entry_id' : 'id';
  await sql`update ${sql.table(table)} set slug = '~' || ${sql.ref(column)} where ${sql.ref(column)}::text = any(${keys})`.execute(
    db,
  );
}

export type AcademyRow = {
  id: string;
  slug: string;
  title: Texts;
  description: Texts;
  cover: string | null;
  cover_alt: Texts;
  position: number;
};

export async function putAcademies(db: Db, rows: AcademyRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'academies',
    columns: {
      id: 'text',
      slug: 'text',
      title: 'jsonb',
      description: 'jsonb',
      cover: 'text',
      cover_alt: 'jsonb',
      position: 'integer',
    },
    key: ['id'],
    rows,
  });
}

export type AcademyCourseRow = { academy_id: string; course_id: string; position: number };

/** Makes the academies' courses these and no others; answers the academies for which that changed something. */
export async function putAcademyCourses(db: Db, academyIds: string[], rows: AcademyCourseRow[]): Promise<string[]> {
  if (academyIds.length === 0) return [];
  const gone = await sql<{ academy_id: string }>`
    delete from academy_courses where academy_id = any(${academyIds})
      and not (academy_id, course_id) in (select r.academy_id, r.course_id
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(academy_id text, course_id text))
    returning academy_id`.execute(db);
  const changed = await upsertChanged(db, {
    table: 'academy_courses',
    columns: { academy_id: 'text', course_id: 'text', position: 'integer' },
    key: ['academy_id', 'course_id'],
    rows,
  });
  return [...gone.rows.map((row) => row.academy_id), ...changed.map(({ key }) => String(key[0]))];
}

export type CourseRow = {
  id: string;
  slug: string;
  type: string;
  title: Texts;
  summary: Texts;
  cover: string | null;
  cover_alt: Texts;
  human_translation: boolean;
  position: number;
};

export async function putCourses(db: Db, rows: CourseRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'courses',
    columns: {
      id: 'text',
      slug: 'text',
      type: 'text',
      title: 'jsonb',
      summary: 'jsonb',
      cover: 'text',
      cover_alt: 'jsonb',
      human_translation: 'boolean',
      position: 'integer',
    },
    key: ['id'],
    onlyNew: ['type'],
    rows,
  });
}

export async function findCourseIds(db: Db, slugs: string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const rows = await db.selectFrom('courses').select(['id', 'slug']).where('slug', 'in', slugs).execute();
  return new Map(rows.map((row) => [row.slug, row.id]));
}

/** Every course slug, for academies that name courses of another folder. */
export async function findCourseSlugs(db: Db): Promise<Set<string>> {
  return new Set((await db.selectFrom('courses').select('slug').execute()).map((row) => row.slug));
}

export type JourneyRow = {
  key: string;
  course_id: string;
  entry_id: string;
  id: string;
  slug: string;
  title: Texts;
  description: Texts;
  privacy: string;
  position: number;
  withdrawn_at: null;
};

export async function putJourneys(db: Db, rows: JourneyRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'journeys',
    columns: {
      key: 'uuid',
      course_id: 'text',
      entry_id: 'text',
      id: 'text',
      slug: 'text',
      title: 'jsonb',
      description: 'jsonb',
      privacy: 'text',
      position: 'integer',
      withdrawn_at: 'timestamptz',
    },
    key: ['key'],
    onlyNew: ['privacy'],
    rows,
  });
}

export async function withdrawRows(db: Db, table: 'journeys' | 'lessons', keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`update ${sql.table(table)} set withdrawn_at = now() where key = any(${keys}::uuid[]) and withdrawn_at is null`.execute(
    db,
  );
}

export type SectionRow = { key: string; journey_key: string; heading: Texts; position: number };

/** Makes the journeys' sections these and no others; answers the journeys for which that changed something. */
export async function putSections(db: Db, journeyKeys: string[], rows: SectionRow[]): Promise<string[]> {
  if (journeyKeys.length === 0) return [];
  const changed = await upsertChanged(db, {
    table: 'sections',
    columns: { key: 'uuid', journey_key: 'uuid', heading: 'jsonb', position: 'integer' },
    key: ['journey_key', 'position'],
    onlyNew: ['key'],
    rows,
  });
  return changed.map(({ key }) => String(key[0]));
}

/** After their lessons were moved. */
export async function deleteOtherSections(db: Db, journeyKeys: string[], rows: SectionRow[]): Promise<string[]> {
  if (journeyKeys.length === 0) return [];
  const { rows: gone } = await sql<{ journey_key: string }>`
    delete from sections where journey_key = any(${journeyKeys}::uuid[])
      and not (journey_key, position) in (select r.journey_key, r.position
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(journey_key uuid, position integer))
    returning journey_key`.execute(db);
  return gone.map((row) => row.journey_key);
}

export async function findSectionKeys(db: Db, journeyKeys: string[]): Promise<Map<string, string>> {
  if (journeyKeys.length === 0) return new Map();
  const rows = await db
    .selectFrom('sections')
    .select(['key', 'journey_key', 'position'])
    .where('journey_key', 'in', journeyKeys)
    .execute();
  return new Map(rows.map((row) => [`${row.journey_key}:${row.position}`, row.key]));
}

export type ImportedLessonRow = {
  key: string;
  journey_key: string;
  /** null until it is placed. */
  section_key: string | null;
  id: string;
  slug: string;
  title: Texts;
  minutes: number;
  mandatory: boolean;
  discussion: Texts;
  position: number;
  withdrawn_at: null;
};

export async function putLessons(db: Db, rows: ImportedLessonRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'lessons',
    columns: {
      key: 'uuid',
      journey_key: 'uuid',
      section_key: 'uuid',
      id: 'text',
      slug: 'text',
      title: 'jsonb',
      minutes: 'integer',
      mandatory: 'boolean',
      discussion: 'jsonb',
      position: 'integer',
      withdrawn_at: 'timestamptz',
    },
    key: ['key'],
    rows,
  });
}

export type BodyRow = {
  lesson_key: string | null;
  microcourse_id: string | null;
  locale: string;
  file: string | null;
  source: string;
  title: string | null;
  html: string;
  headings: unknown[];
};

/** Makes the texts of lessons or microcourses these and no others; answers the owners for which that changed something. */
export async function putBodies(
  db: Db,
  owner: 'lesson_key' | 'microcourse_id',
  owners: string[],
  rows: BodyRow[],
): Promise<string[]> {
  if (owners.length === 0) return [];
  const keys = JSON.stringify(rows.map((row) => ({ owner: row[owner], locale: row.locale })));
  const gone = await sql<{ owner: string }>`
    delete from bodies where ${sql.ref(owner)}::text = any(${owners})
      and not (${sql.ref(owner)}::text, locale) in (select r.owner, r.locale from jsonb_to_recordset(${keys}::jsonb) as r(owner text, locale text))
    returning ${sql.ref(owner)}::text as owner`.execute(db);
  const changed = await upsertChanged(db, {
    table: 'bodies',
    columns: {
      lesson_key: 'uuid',
      microcourse_id: 'text',
      locale: 'text',
      file: 'text',
      source: 'text',
      title: 'text',
      html: 'text',
      headings: 'jsonb',
    },
    key: [owner, 'locale'],
    keyWhere: sql`${sql.ref(owner)} is not null`,
    rows,
  });
  return [...gone.rows.map((row) => row.owner), ...changed.map(({ key }) => String(key[0]))];
}

export type MicrocourseRow = {
  id: string;
  slug: string;
  title: Texts;
  summary: Texts;
  minutes: number;
  cover: string | null;
  cover_alt: Texts;
  human_translation: boolean;
  position: number;
};

export async function putMicrocourses(db: Db, rows: MicrocourseRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'microcourses',
    columns: {
      id: 'text',
      slug: 'text',
      title: 'jsonb',
      summary: 'jsonb',
      minutes: 'integer',
      cover: 'text',
      cover_alt: 'jsonb',
      human_translation: 'boolean',
      position: 'integer',
    },
    key: ['id'],
    rows,
  });
}

export type ImportedCommunityRow = {
  id: string;
  entry_id: string;
  slug: string;
  title: Texts;
  description: Texts;
  privacy: string;
  locale: string;
  categories: string[];
  cover: string | null;
  cover_alt: Texts;
  position: number;
};

export async function putCommunities(db: Db, rows: ImportedCommunityRow[]): Promise<ChangedRow> {
  return await upsertChanged(db, {
    table: 'communities',
    columns: {
      id: 'uuid',
      entry_id: 'text',
      slug: 'text',
      title: 'jsonb',
      description: 'jsonb',
      privacy: 'text',
      locale: 'text',
      categories: 'text[]',
      cover: 'text',
      cover_alt: 'jsonb',
      position: 'integer',
    },
    key: ['entry_id'],
    onlyNew: ['id', 'privacy'],
    rows,
  });
}
