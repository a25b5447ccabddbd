import { SHARED_TEXT_LENGTH, type SharedDiscussion } from '@officium/contract/lesson-shares';
import { markdownToPlainText } from '#server/text/markdown.ts';
import type { SharedRow } from './lesson-share.repository.ts';

export function toSharedDiscussion(row: SharedRow): SharedDiscussion {
  return {
    activityId: row.activityId,
    id: row.id,
    text: beginningOf(row.body),
    course: { slug: row.course, title: row.courseTitle },
    journeySlug: row.journey,
    lesson: { slug: row.lesson, title: row.lessonTitle },
    reaction_counts: { like: row.likeCount, reply: row.replyCount },
  };
}

/** The first words of a text; mentions are left out, since names are resolved when shown. */
function beginningOf(markdown: string): string {
  const text = markdownToPlainText(markdown)
    .replace(/\{\{[^}]*\}\}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...text];
  if (letters.length <= SHARED_TEXT_LENGTH) return text;
  return `${letters
    .slice(0, SHARED_TEXT_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}
