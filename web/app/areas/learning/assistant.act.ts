import { data } from 'react-router';
import { askLesson, deleteThread } from '@officium/contract/ai';
import type { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../server/redirect.ts';
import { chosenLanguage } from './languages.ts';

type Path = { courseSlug: string; journeySlug: string; lessonSlug: string };

/**
 * Handles the assistant's forms: a question, or deleting a conversation. With script, `stay` requests only the result.
 */
export async function converse(
  { attempt, fields, locale, url }: Awaited<ReturnType<typeof act>>,
  path: Path,
  intent: string,
) {
  const place = `${url.pathname}${url.search}#assistant`;
  if (intent === 'ask') {
    const query = String(fields.get('query') ?? '');
    const asked = await attempt(askLesson, { body: { ...path, query, locale: chosenLanguage(url) ?? locale } });
    if (!asked.ok) return asked.refusal;
    return fields.has('stay') ? data({ answer: asked.body.answer }) : redirect(place);
  }
  const gone = await attempt(deleteThread, { params: { threadId: String(fields.get('thread') ?? '') } });
  if (!gone.ok && gone.failure.status !== 404) return gone.refusal; // already gone counts as deleted
  return redirectWith(place, { key: 'learning.assistant_deleted' });
}
