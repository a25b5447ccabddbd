import type { LocalizedText } from '@officium/contract/common';
import type { MARKING_STATES } from '@officium/contract/marking';
import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import type { Db } from '#server/db/client.ts';
import type { StoredMarks } from './attempt.rows.ts';
import type { MarkedRow, MarkingRow } from './marking.rows.ts';

/** The attempts that a marker may see: `courses` null: of all courses; `open`: those that the session's token names. */
export type MarkedPlaces = { markerId: string; courses: string[] | null; open: string[] | null };

const source = (db: Db) =>
  db
    .selectFrom('assessment_attempts as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .innerJoin('lessons as l', 'l.key', 'a.lesson_key')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .where('a.submitted_at', 'is not', null)
    .where('a.lapsed_at', 'is', null);

const SHOWN = [
  ...(['a.id', 'u.id as learner_id', 'u.name as learner_name', 'c.id as course_id', 'c.slug as course_slug'] as const),
  ...(['c.title as course_title', 'l.title as lesson_title', 'a.submitted_at', 'a.score', 'a.passed'] as const),
] as const;

const inPlaces = (db: Db, { markerId, courses, open }: MarkedPlaces) =>
  source(db)
    .where('a.user_id', '<>', markerId)
    .where(isOpenSlug('c.slug', open))
    .$if(courses !== null, (query) => query.where('c.id', '=', (eb) => eb.fn.any(eb.val(courses ?? []))));

type Filter = {
  state: (typeof MARKING_STATES)[number];
  course?: string | undefined;
  limit: number;
  offset: number;
};

/** Those that wait, oldest first, or the marked ones, newest first. */
export async function findMarking(
  db: Db,
  places: MarkedPlaces,
  { state, course, limit, offset }: Filter,
): Promise<MarkedRow[]> {
  const isWaiting = state === 'waiting';
  return await inPlaces(db, places)
    .select(SHOWN)
    .where('a.passed', isWaiting ? 'is' : 'is not', null)
    .$if(!isWaiting, (query) => query.where('a.marks', '<>', sql<string>`'{}'`))
    .$if(course !== undefined, (query) => query.where('c.id', '=', course!)) // checked just before
    .orderBy('a.submitted_at', isWaiting ? 'asc' : 'desc')
    .orderBy('a.id', isWaiting ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .$castTo<MarkedRow>()
    .execute();
}

/** Counts what `findMarking` finds in all, up to a limit, and what waits in each course. */
export async function countMarking(
  db: Db,
  places: MarkedPlaces,
  { state, course, atMost }: Omit<Filter, 'limit' | 'offset'> & { atMost: number },
): Promise<{ counted: number; courses: { id: string; title: LocalizedText; waiting: number }[] }> {
  const courses = inPlaces(db, places)
    .select(({ fn }) => ['c.id', 'c.title', fn.countAll<number>().as('waiting')])
    .where('a.passed', 'is', null)
    .groupBy(['c.id', 'c.title'])
    .orderBy('c.slug')
    .limit(200);
  const counted = inPlaces(db, places)
    .select('a.id')
    .where('a.passed', state === 'waiting' ? 'is' : 'is not', null)
    .$if(state !== 'waiting', (query) => query.where('a.marks', '<>', sql<string>`'{}'`))
    .$if(course !== undefined, (query) => query.where('c.id', '=', course!)) // checked just before
    .limit(atMost);
  return await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom(counted.as('counted'))
        .select(sql<number>`count(*)::int`.as('n'))
        .$asScalar()
        .$notNull()
        .as('counted'),
      eb
        .selectFrom(courses.as('k'))
        .select(sql`coalesce(json_agg(k), '[]')`.as('rows'))
        .$asScalar()
        .as('courses'),
    ])
    .$castTo<{ counted: number; courses: { id: string; title: LocalizedText; waiting: number }[] }>()
    .executeTakeFirstOrThrow();
}

/** An ended attempt that counts. `isLocked` locks only the attempt. */
export async function getMarking(
  db: Db,
  id: string,
  { isLocked }: { isLocked: boolean } = { isLocked: false },
): Promise<MarkingRow | undefined> {
  return await source(db)
    .select(SHOWN)
    .select([
      ...(['a.locale', 'a.pass_mark', 'a.questions', 'a.answers', 'a.marks', 'a.mark_version'] as const),
      ...(['a.lesson_key', 'l.journey_key'] as const),
      (eb) =>
        eb
          .selectFrom('content_assets as f')
          .select(({ fn, ref }) =>
            fn.coalesce(fn.agg<string[]>('json_agg', [ref('f.key')]), sql<string[]>`'[]'::json`).as('keys'),
          )
          .whereRef('f.entry_id', '=', 'c.id')
          .$asScalar()
          .as('asset_keys'),
    ])
    .where('a.id', '=', id)
    .$if(isLocked, (query) => query.forUpdate('a'))
    .$castTo<MarkingRow>()
    .executeTakeFirst();
}

/** Stores marks with the result that follows, which is null while others are missing. */
export async function updateMarks(
  db: Db,
  { id, marks, score, passed }: { id: string; marks: StoredMarks; score: number | null; passed: boolean | null },
): Promise<void> {
  await db
    .updateTable('assessment_attempts')
    .set(({ ref }) => ({
      marks: JSON.stringify(marks),
      score,
      passed,
      mark_version: sql<number>`${ref('mark_version')} + 1`,
    }))
    .where('id', '=', id)
    .execute();
}
