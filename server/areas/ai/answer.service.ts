import type { AnswerMaker, AnswerSentence, LearnerQuery, Reference } from '@officium/contract/ai';
import { MAX_QUERIES_AN_HOUR } from '@officium/contract/ai';
import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import { isShutOutOfCourse } from '#server/access/can.ts';
import { settleTokens, takeTokens } from '#server/access/model-tokens.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { readLesson } from '#server/areas/learner/course.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { type LanguageModel, ModelUnavailable, tokensOf, type Usage } from '#server/outside/language-model.ts';
import { pagePath } from '#server/page-address.ts';
import { checkSentence, instructionsFor, MAX_SENTENCES, ModelSentence, promptFor } from './model-answer.policy.ts';
import type { PassageRow } from './passage.repository.ts';
import { retrieve } from './retrieval.service.ts';

const QUERIES = { max: MAX_QUERIES_AN_HOUR, windowSeconds: 3600 };
const MAX_OUTPUT_TOKENS = 900;
/** Concurrent model calls per user. */
const AT_ONCE = 2;

export type LessonQuestion = z.output<typeof LearnerQuery> & { locale: Locale };

/** A question the viewer may ask, with the passages found for it. */
export type OpenQuestion = {
  query: string;
  locale: Locale;
  lessonKey: string;
  answers: Quotable[];
  context: Quotable[];
};
type Quotable = PassageRow & { url: string; label: string };
/** `url` is a path. */
export type AssistantAnswer = { answer: string; references: Reference[]; madeBy: AnswerMaker };

/** Checks the viewer's access and rate limit, and finds passages that answer a question about a lesson. */
export async function openQuestion(ctx: Ctx, viewer: UserViewer, input: LessonQuestion): Promise<OpenQuestion> {
  const { query, locale, courseSlug, journeySlug, lessonSlug } = input;
  const { course, journey, page } = await readLesson(ctx, viewer, { courseSlug, journeySlug, lessonSlug, locale });
  if (!journey.lesson) throw notFound();
  // Preview lessons are open to all users, but a narrowed session may only ask about its own courses.
  if (isShutOutOfCourse(viewer, course.slug)) throw new AppError('auth.forbidden');
  const lessonKey = journey.lesson.key;
  await takeLimit(ctx, `ai.query:${viewer.id}`, QUERIES);
  const bodyLocale = page.shown_locale ?? DEFAULT_LOCALE;
  const found = await retrieve(ctx, { course, lessonKey, question: query, locale: bodyLocale });
  const toQuotable = (passage: PassageRow): Quotable => ({
    ...passage,
    label: passage.heading === null ? passage.title : `${passage.title} – ${passage.heading}`,
    url: pagePath(['lesson', courseSlug, passage.journeySlug, passage.lessonSlug], passage.anchor),
  });
  return {
    query,
    locale,
    lessonKey,
    answers: found.answers.map(toQuotable),
    context: found.context.map(toQuotable),
  };
}

const noAnswer = (locale: Locale) => createTranslator(locale).t('ai.no_answer');

/** An answer made of the passages, word for word. */
function quoteAnswer({ answers, locale }: OpenQuestion, madeBy: AnswerMaker): AssistantAnswer {
  const references = answers.map(({ text, label, url }) => ({ title: label, url, quote: text }));
  const answer = references.map(({ quote }) => quote).join('\n\n') || noAnswer(locale);
  return { answer, references, madeBy };
}

/**
 * Yields sentences as they arrive and returns the final answer, which replaces them. `gone` aborts when the client
 * leaves.
 */
export async function* answerQuestion(
  ctx: Ctx,
  viewer: UserViewer,
  question: OpenQuestion,
  gone?: AbortSignal,
): AsyncGenerator<AnswerSentence, AssistantAnswer, void> {
  const { languageModel } = ctx;
  // Without any passage, the model is not asked.
  if (!languageModel || question.context.length === 0) return quoteAnswer(question, 'passages');
  try {
    return yield* modelAnswer(ctx, languageModel, viewer, { ...question, gone });
  } catch (error) {
    if (!(error instanceof ModelUnavailable) || error.reason === 'cancelled') throw error;
    ctx.log.warn({ reason: error.reason }, error.message);
    return quoteAnswer(question, 'fallback');
  }
}

async function* modelAnswer(
  ctx: Ctx,
  model: LanguageModel,
  viewer: UserViewer,
  question: OpenQuestion & { gone: AbortSignal | undefined },
): AsyncGenerator<AnswerSentence, AssistantAnswer, void> {
  const { query, locale, context, gone } = question;
  const system = instructionsFor(locale);
  const prompt = promptFor(query, context);
  const id = newId();
  const input = tokensOf(system + prompt);
  const call = { id, userId: viewer.id, tokens: input + MAX_OUTPUT_TOKENS };
  const taken = await takeTokens(ctx.lastingDb, call, { ...ctx.config.aiTokens, atOnce: AT_ONCE });
  if (taken !== 'taken') {
    ctx.log.info({ reason: taken }, 'token quota exhausted: question refused');
    return quoteAnswer(question, 'fallback');
  }
  let used: Usage | undefined;
  let isDone = false;
  const written = writer(context);
  try {
    const sentences = model.answerList({
      model: 'fast',
      system,
      prompt,
      temperature: 0.2,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      item: ModelSentence,
      ...(gone ? { signal: gone } : {}),
      onUsage: (usage) => (used = usage),
    });
    for await (const sentence of sentences) {
      const checked = written.add(sentence);
      if (checked) yield checked;
      if (written.count >= MAX_SENTENCES) break;
    }
    isDone = true;
  } finally {
    // Without reported usage, a completed call is charged our estimate and a failed one nothing.
    const estimated = isDone ? input + tokensOf(written.text()) : 0;
    await settleTokens(ctx.lastingDb, id, used ? used.inputTokens + used.outputTokens : estimated);
  }
  if (written.offered > 0 && written.count === 0) return quoteAnswer(question, 'fallback');
  return { answer: written.text() || noAnswer(locale), references: written.references, madeBy: 'model' };
}

/** Builds an answer from the sentences whose quotations can be verified. */
function writer(context: Quotable[]) {
  const references: Reference[] = [];
  const numberOf = new Map<string, number>();
  const lines: string[] = [];
  const state = { offered: 0 };
  return {
    references,
    get offered() {
      return state.offered;
    },
    get count() {
      return lines.length;
    },
    text: () => lines.join(' '),
    add(sentence: ModelSentence): AnswerSentence | undefined {
      state.offered += 1;
      const checked = checkSentence(sentence, context);
      if (!checked) return undefined;
      const known = references.length;
      const numbers = checked.quotes.flatMap(({ passage, text }) => {
        const from = context[passage];
        if (!from) return [];
        const key = `${passage} ${text}`;
        const number = numberOf.get(key) ?? references.push({ title: from.label, url: from.url, quote: text });
        numberOf.set(key, number);
        return [number];
      });
      const marked = [...new Set(numbers)];
      lines.push(`${checked.text} ${marked.map((number) => `[${number}]`).join('')}`);
      return { text: checked.text, numbers: marked, references: references.slice(known) };
    },
  };
}
