import type { Locale } from '@officium/contract/common';
import type { Db } from '#server/db/client.ts';

/** The Markdown of a lesson, which contains the keys of its questions; undefined for one with an assessment. */
export async function getLessonSource(
  db: Db,
  { lessonKey, locale }: { lessonKey: string; locale: Locale },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('bodies as b')
    .innerJoin('lessons as l', 'l.key', 'b.lesson_key')
    .select('b.source')
    .where('l.key', '=', lessonKey)
    .where('l.assessment', 'is', null)
    .where('b.locale', '=', locale)
    .executeTakeFirst();
  return row?.source;
}
