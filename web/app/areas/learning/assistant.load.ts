import { listThreads, MAX_QUERIES_AN_HOUR, THREAD_DAYS, type Thread } from '@officium/contract/ai';
import type { load } from '../../server/api.ts';
import type { Locale } from '@officium/i18n/locales';
import { chosenLanguage, inLanguage } from './languages.ts';
import { placeOf, placesOf, type Places } from './passages.ts';

/** The location of a passage: an anchor in this lesson (null at its top), or a link to another lesson. */
export type Place = { anchor: string | null } | { href: string; title: string };
/** A passage of an answer; without a place when no lesson contains it (any more). */
export type Passage = { text: string; place: Place | undefined };
/** Sentences with the numbers of their passages, counted from 1. */
export type Sentence = { text: string; numbers: number[] };
/** An answer: passages alone, or sentences based on them. */
export type Answer = { passages: Passage[]; sentences: Sentence[]; isFallback: boolean };
export type Exchange = { question: string; askedAt: string; answer: Answer };
/** Context sent with a question about this lesson. */
export type Asking = { courseSlug: string; journeySlug: string; lessonSlug: string; locale: Locale };
export type OtherThread = { id: string; title: string; at: string };

export type Assistant = {
  threadId: string | null;
  /** Questions about this lesson, newest first. */
  exchanges: Exchange[];
  /** Conversations about other lessons, when requested. */
  others: OtherThread[] | null;
  limits: { hourly: number; days: number };
  /** Whether a language model writes the answers. */
  hasModel: boolean;
  asking: Asking;
};

/** Query parameter that also lists conversations about other lessons. */
export const OTHERS = 'questions';

const lessonOf = ({ courseSlug, journeySlug, lessonSlug }: Asking) => `${courseSlug}/${journeySlug}/${lessonSlug}`;

/** The viewer's conversations: the one about a lesson and, when requested, all. */
export async function readQuestions({ attempt, url }: Awaited<ReturnType<typeof load>>, asking: Asking) {
  const [mine, all] = await Promise.all([
    attempt(listThreads, { query: { lesson: lessonOf(asking), limit: '1' } }),
    url.searchParams.has(OTHERS) ? attempt(listThreads) : undefined,
  ]);
  return { mine, all };
}

/** The viewer's questions about a lesson with this text. A part that failed is left out. */
export function toAssistant(
  { mine, all }: Awaited<ReturnType<typeof readQuestions>>,
  asking: Asking,
  url: URL,
  html: string,
): Assistant {
  const lesson = lessonOf(asking);
  const [thread] = mine.ok ? mine.body.threads : [];
  return {
    threadId: thread?.id ?? null,
    exchanges: thread
      ? exchangesOf(thread, placeFinder(`/courses/${lesson}`, placesOf(html), chosenLanguage(url)))
      : [],
    others: all?.ok ? all.body.threads.flatMap((one) => toOther(one, thread?.id)) : null,
    limits: { hourly: MAX_QUERIES_AN_HOUR, days: THREAD_DAYS },
    hasModel: mine.ok && mine.body.hasModel,
    asking,
  };
}

/** Finds the place of a quotation, given its expected address. */
export type FindPlace = (quote: string, url?: string) => Place | undefined;

/** Finds places for a viewer of the lesson at `path`. */
export function placeFinder(path: string, places: Places, lang: Locale | undefined): FindPlace {
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

/** An answer prepared for display. */
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

/** Parses `A sentence. [1][2] Another. [3]`. */
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
