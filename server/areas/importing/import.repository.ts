// Raw SQL: `lockImport` calls a function.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import type { KnownRow } from './match.policy.ts';
import { upsertChanged } from './upsert.sql.ts';

export type Texts = Record<string, string>;
export type ChangedRow = { key: unknown[]; isNew: boolean }[];

/** Serialises imports. */
export async function lockImport(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('content.import'))`.execute(db);
}

export type Catalogue = 'academies' | 'courses' | 'microcourses';

export type PlacedRow = KnownRow & { position: number };

/** Returns the stored rows of a kind; `key` is the entry id. */
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

export type AcademyRow = {
  id: string;
  slug: string;
  title: Texts;
  description: Texts;
  cover: string | null;
  cover_alt: Texts;
  topics: string[];
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
      topics: 'text[]',
      position: 'integer',
    },
    key: ['id'],
    rows,
  });
}

export type AcademyCourseRow = { academy_id: string; course_id: string; position: number };

/** Replaces the courses of academies and returns the academies that changed. */
export async function putAcademyCourses(db: Db, academyIds: string[], rows: AcademyCourseRow[]): Promise<string[]> {
  if (academyIds.length === 0) return [];
  const given = sql<{ academy_id: string; course_id: string }>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
  const gone = await db
    .deleteFrom('academy_courses')
    .where('academy_id', '=', anyOf(academyIds, 'text'))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('academy_id', 'course_id'),
          'in',
          selectFrom(given.as<'r'>(sql`r(academy_id text, course_id text)`))
            .select(['r.academy_id', 'r.course_id'])
            .$asTuple('academy_id', 'course_id'),
        ),
      ),
    )
    .returning('academy_id')
    .execute();
  const changed = await upsertChanged(db, {
    table: 'academy_courses',
    columns: { academy_id: 'text', course_id: 'text', position: 'integer' },
    key: ['academy_id', 'course_id'],
    rows,
  });
  return [...gone.map((row) => row.academy_id), ...changed.map(({ key }) => String(key[0]))];
}

export type CourseRow = {
  id: string;
  slug: string;
  type: string;
  title: Texts;
  summary: Texts;
  cover: string | null;
  cover_alt: Texts;
  topics: string[];
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
      topics: 'text[]',
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

/** Returns all course slugs, because academies may name courses outside the folder. */
export async function findCourseSlugs(db: Db): Promise<Set<string>> {
  return new Set((await db.selectFrom('courses').select('slug').execute()).map((row) => row.slug));
}

export type BodyRow = {
  lesson_key: string | null;
  microcourse_id: string | null;
  editorial_id?: string | null;
  locale: string;
  file: string | null;
  source: string;
  title: string | null;
  html: string;
  headings: unknown[];
  questions?: unknown[] | null;
};

/** Replaces the texts of lessons, microcourses or editorials and returns the owners that changed. */
export async function putBodies(
  db: Db,
  owner: 'lesson_key' | 'microcourse_id' | 'editorial_id',
  owners: string[],
  rows: BodyRow[],
): Promise<string[]> {
  if (owners.length === 0) return [];
  const keys = JSON.stringify(rows.map((row) => ({ owner: row[owner], locale: row.locale })));
  const kept = sql<{ owner: string; locale: string }>`jsonb_to_recordset(${keys}::jsonb)`;
  const gone = await db
    .deleteFrom('bodies')
    .where((eb) => eb(eb.cast<string>(owner, 'text'), '=', eb.fn.any(eb.val(owners))))
    .where(({ cast, eb, not, ref, selectFrom, tuple }) =>
      not(
        eb(
          tuple(cast<string>(owner, 'text'), ref('locale')),
          'in',
          selectFrom(kept.as<'r'>(sql`r (owner text, locale text)`))
            .select(['r.owner', 'r.locale'])
            .$asTuple('owner', 'locale'),
        ),
      ),
    )
    .returning((eb) => eb.cast<string>(owner, 'text').as('owner'))
    .execute();
  const changed = await upsertChanged(db, {
    table: 'bodies',
    columns: {
      lesson_key: 'uuid',
      microcourse_id: 'text',
      editorial_id: 'text',
      locale: 'text',
      file: 'text',
      source: 'text',
      title: 'text',
      html: 'text',
      headings: 'jsonb',
      questions: 'jsonb',
    },
    key: [owner, 'locale'],
    keyWhere: sql`${sql.ref(owner)} is not null`,
    rows,
  });
  return [...gone.map((row) => row.owner), ...changed.map(({ key }) => String(key[0]))];
}

export type MicrocourseRow = {
  id: string;
  slug: string;
  title: Texts;
  summary: Texts;
  minutes: number;
  cover: string | null;
  cover_alt: Texts;
  topics: string[];
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
      topics: 'text[]',
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
