import { listThreads, MAX_QUERIES_AN_HOUR, THREAD_DAYS, type Thread } from '@officium/contract/ai';
import type { load } from '../../api.ts';
import type { Locale } from '@officium/i18n/locales';
import { chosenLanguage, inLanguage } from './languages.ts';
import { placeOf, placesOf, type Places } from './passages.ts';

/** Where a passage stands: an anchor of this lesson (null at its top), or a place in another one. */
export type Place = { anchor: string | null } | { href: string; title: string };
/** A passage of an answer; without a place when nothing says it (any more). */
export type Passage = { text: string; place: Place | undefined };
/** Sentences with the numbers of the passages they rest on, counted from 1. */
export type Sentence = { text: string; numbers: number[] };
/** An answer is its passages, or sentences that rest on them. */
export type Answer = { passages: Passage[]; sentences: Sentence[]; isFallback: boolean };
export type Exchange = { question: string; askedAt: string; answer: Answer };
/** What a question about this lesson is asked with. */
export type Asking = { courseSlug: string; journeySlug: string; lessonSlug: string; locale: Locale };
export type OtherThread = { id: string; title: string; at: string };

export type Assistant = {
  threadId: string | null;
  /** About this lesson, newest first. */
  exchanges: Exchange[];
  /** Conversations about other lessons, when they were asked for. */
  others: OtherThread[] | null;
  limits: { hourly: number; days: number };
  /** Whether a language model puts answers into words. */
  hasModel: boolean;
  asking: Asking;
};

/** Of the address: lists the conversations about other lessons as well. */
export const OTHERS = 'questions';

/** What the reader has asked about a lesson. A part that does not answer is left out, and the lesson stands. */
export async function readAssistant(
  { attempt, url }: Awaited<ReturnType<typeof load>>,
  asking: Asking,
  html: string,
): Promise<Assistant> {
  const lesson = `${asking.courseSlug}/${asking.journeySlug}/${asking.lessonSlug}`;
  const [mine, all] = await Promise.all([
    attempt(listThreads, { query: { lesson, limit: '1' } }),
    url.searchParams.has(OTHERS) ? attempt(listThreads) : undefined,
  ]);
  const [thread] = mine.ok ? mine.body.threads : [];
  return {
    threadId: thread?.id ?? null,
    exchanges: thread ? exchangesOf(thread, readerOf(`/courses/${lesson}`, placesOf(html), chosenLanguage(url))) : [],
    others: all?.ok ? all.body.threads.flatMap((one) => toOther(one, thread?.id)) : null,
    limits: { hourly: MAX_QUERIES_AN_HOUR, days: THREAD_DAYS },
    hasModel: mine.ok && mine.body.hasModel,
    asking,
  };
}

/** Finds the place of a quotation, given the address it was said to have. */
export type FindPlace = (quote: string, url?: string) => Place | undefined;

/** For whoever reads the lesson at `path`. */
export function readerOf(path: string, places: Places, lang: Locale | undefined): FindPlace {
  return (quote, url) => {
    const at = url === undefined ? undefined : new URL(url);
    if (at && at.pathname !== path) return { href: inLanguage(at.pathname, lang) + at.hash, title: '' };
    const anchor = placeOf(places, quote);
    return anchor === undefined ? undefined : { anchor };
  };
}

function exchangesOf({ messages }: Thread, find: FindPlace): Exchange[] {
  const exchanges: Exchange[] = [];
  const none: Answer = { passages: [], sentences: [], isFallback: false };
  for (const message of messages) {
    const last = exchanges[0];
    if (message.role === 'user')
      exchanges.unshift({ question: message.content, askedAt: message.createdAt, answer: none });
    else if (last) last.answer = toAnswer(message, find);
  }
  return exchanges;
}

type Said = Pick<Thread['messages'][number], 'content' | 'references' | 'madeBy'>;

/** An answer as it is shown. */
export function toAnswer({ content, references, madeBy }: Said, find: FindPlace): Answer {
  const isFallback = madeBy === 'fallback';
  if (references.length === 0)
    return { passages: content.split('\n\n').map((text) => ({ text, place: find(text) })), sentences: [], isFallback };
  const passages = references.map(({ quote, title, url }) => {
    const place = find(quote, url);
    return { text: quote, place: place && 'href' in place ? { ...place, title } : place };
  });
  return { passages, sentences: madeBy === 'model' ? sentencesOf(content) : [], isFallback };
}

/** Takes apart `A sentence. [1][2] Another. [3]`. */
function sentencesOf(content: string): Sentence[] {
  return [...content.matchAll(/(.+?) ((?:\[\d+\])+)(?: |$)/gs)].map(([, text = '', marks = '']) => ({
    text,
    numbers: [...marks.matchAll(/\d+/g)].map(([number]) => Number(number)),
  }));
}

function toOther({ id, title, lesson }: Thread, mine: string | undefined): OtherThread[] {
  if (!lesson || id === mine) return [];
  const { courseSlug, journeySlug, lessonSlug } = lesson;
  return [{ id, title, at: `/courses/${courseSlug}/${journeySlug}/${lessonSlug}` }];
}
