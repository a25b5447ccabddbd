import type { Locale } from '@officium/contract/common';
import type { Db } from '#server/db/client.ts';

/** The Markdown of a lesson, which contains the keys of its questions. */
export async function getLessonSource(
  db: Db,
  { lessonKey, locale }: { lessonKey: string; locale: Locale },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('bodies')
    .select('source')
    .where('lesson_key', '=', lessonKey)
    .where('locale', '=', locale)
    .executeTakeFirst();
  return row?.source;
}
