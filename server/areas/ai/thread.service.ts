import { type LearnerQuery, MAX_THREAD_MESSAGES, type Reference, type Thread } from '@officium/contract/ai';
import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import type { UserViewer } from '#server/access/viewer.ts';
import { readLesson } from '#server/areas/learner/course.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { takeLimit } from '#server/http/limits.ts';
import { pickText } from '#server/text/localised.ts';
import { findLexemes } from './lexemes.repository.ts';
import { type Passage, passagesOf, rankPassages } from './passage.policy.ts';
import * as threads from './thread.repository.ts';

const QUERIES = { max: 30, windowSeconds: 3600 };
const TITLE_LENGTH = 120;

/** Passages of a lesson that answer a question, best first. */
async function findAnswers(
  ctx: Ctx,
  question: string,
  { title, passages, locale }: { title: string; passages: Passage[]; locale: Locale },
): Promise<Passage[]> {
  const texts = [question, ...passages.flatMap(({ text, heading }) => [text, `${title} ${heading ?? ''}`])];
  const [query = new Set<string>(), ...lexemes] = await findLexemes(ctx.db, texts, locale);
  const none = new Set<string>();
  const searched = passages.map((_, index) => ({
    own: lexemes[index * 2] ?? none,
    heading: lexemes[index * 2 + 1] ?? none,
  }));
  return rankPassages(query, searched).flatMap((index) => passages[index] ?? []);
}

/** Answers a question about a lesson out of the lesson, with the rights of who asks, and keeps both for them alone. */
export async function askLesson(
  ctx: Ctx,
  viewer: UserViewer,
  input: z.output<typeof LearnerQuery> & { locale: Locale },
): Promise<{ answer: string; references: Reference[]; threadId: string }> {
  const { query, locale, courseSlug, journeySlug, lessonSlug } = input;
  const { journey, page } = await readLesson(ctx, viewer, { courseSlug, journeySlug, lessonSlug, locale });
  if (!journey.lesson) throw notFound();
  const { key: lessonKey } = journey.lesson;
  await takeLimit(ctx, `ai.query:${viewer.id}`, QUERIES);

  const bodyLocale = page.shown_locale ?? DEFAULT_LOCALE;
  const title = pickText(page.title, bodyLocale).text;
  const passages = passagesOf(page.html ?? '', bodyLocale);
  const found = await findAnswers(ctx, query, { title, passages, locale: bodyLocale });
  const url = `${ctx.config.publicUrl}/courses/${courseSlug}/${journeySlug}/${lessonSlug}`;
  const references = found.map(({ text, heading, anchor }) => ({
    title: heading === null ? title : `${title} – ${heading}`,
    url: anchor === null ? url : `${url}#${anchor}`,
    quote: text,
  }));
  const answer =
    references.length > 0
      ? references.map(({ quote }) => quote).join('\n\n')
      : createTranslator(locale).t('ai.no_answer');

  return await inTransaction(ctx.db, async (trx) => {
    const name = [...query.replace(/\s+/g, ' ')].slice(0, TITLE_LENGTH).join('');
    const { id } = await threads.openThread(trx, { userId: viewer.id, lessonKey, title: name });
    await threads.insertExchange(trx, { threadId: id, question: query, answer });
    return { answer, references, threadId: id };
  });
}

export async function listThreads(
  ctx: Ctx,
  viewer: UserViewer,
  page: { limit: number; offset: number },
): Promise<{ threads: Thread[]; total: number }> {
  const rows = await threads.findThreads(ctx.db, { userId: viewer.id, ...page, messages: MAX_THREAD_MESSAGES });
  return {
    threads: rows.map(({ id, title, created_at, messages }) => ({
      id,
      title,
      createdAt: created_at.toISOString(),
      messages,
    })),
    total: await threads.countThreads(ctx.db, viewer.id),
  };
}

export async function deleteThread(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  if (!(await threads.deleteThread(ctx.db, { id, userId: viewer.id }))) throw notFound();
}
