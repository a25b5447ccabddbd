import type { Assessment } from '@officium/contract/assessment';
import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** A published lesson whose assessment draws from the question bank of its course. */
export type DrawingLesson = { slug: string; assessment: Assessment; body: LocalizedText };

/** The published question bank of a course, with its keys. */
export async function findBank(db: Db, courseId: string): Promise<LocalizedText> {
  const rows = await db
    .selectFrom('course_questions')
    .select(['locale', 'source'])
    .where('course_id', '=', courseId)
    .execute();
  return Object.fromEntries(rows.map(({ locale, source }) => [locale, source]));
}

export async function findDrawingLessons(db: Db, courseId: string): Promise<DrawingLesson[]> {
  return await db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('bodies as b', 'b.lesson_key', 'l.key')
    .select(({ fn, ref }) => [
      'l.slug',
      'l.assessment',
      fn<LocalizedText>('jsonb_object_agg', [ref('b.locale'), ref('b.source')]).as('body'),
    ])
    .where('j.course_id', '=', courseId)
    .where('l.withdrawn_at', 'is', null)
    .where(sql<boolean>`(l.assessment ->> 'bank')::boolean`)
    .groupBy(['l.key', 'l.slug', 'l.assessment'])
    .orderBy('l.slug')
    .$castTo<DrawingLesson>()
    .execute();
}
