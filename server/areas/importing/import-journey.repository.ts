import type { Assessment } from '@officium/contract/assessment';
import type { Evaluation } from '@officium/contract/evaluation';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import type { KnownRow } from './match.policy.ts';
import { upsertChanged } from './upsert.sql.ts';
import type { ChangedRow, Texts } from './import.repository.ts';

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

export type JourneyRow = {
  key: string;
  course_id: string;
  entry_id: string;
  id: string;
  slug: string;
  title: Texts;
  description: Texts;
  privacy: string;
  price: string | null;
  evaluation: Evaluation;
  certificate_months: number | null;
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
      price: 'text',
      evaluation: 'jsonb',
      certificate_months: 'integer',
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
  await db
    .updateTable(table)
    .set({ withdrawn_at: sql`now()` })
    .where('key', '=', anyOf(keys, 'uuid'))
    .where('withdrawn_at', 'is', null)
    .execute();
}

export type SectionRow = { key: string; journey_key: string; heading: Texts; position: number };

/** Upserts the sections of journeys and returns the journeys that changed. */
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

/** Deletes sections that are not in `rows`. Call it after their lessons have moved. */
export async function deleteOtherSections(db: Db, journeyKeys: string[], rows: SectionRow[]): Promise<string[]> {
  if (journeyKeys.length === 0) return [];
  const given = sql<{ journey_key: string; position: number }>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
  const gone = await db
    .deleteFrom('sections')
    .where('journey_key', '=', anyOf(journeyKeys, 'uuid'))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('journey_key', 'position'),
          'in',
          selectFrom(given.as<'r'>(sql`r(journey_key uuid, position integer)`))
            .select(['r.journey_key', 'r.position'])
            .$asTuple('journey_key', 'position'),
        ),
      ),
    )
    .returning('journey_key')
    .execute();
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
  /** null until the lesson is placed in a section. */
  section_key: string | null;
  id: string;
  slug: string;
  title: Texts;
  minutes: number;
  mandatory: boolean;
  discussion: Texts;
  assessment: Assessment | null;
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
      assessment: 'jsonb',
      position: 'integer',
      withdrawn_at: 'timestamptz',
    },
    key: ['key'],
    rows,
  });
}
