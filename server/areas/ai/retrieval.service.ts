import type { Locale } from '@officium/contract/common';
import type { CourseAccess } from '#server/areas/learner/course-access.policy.ts';
import { readableJourneys } from '#server/areas/learner/course-access.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { passagesOf } from './passage.policy.ts';
import * as passages from './passage.repository.ts';
import type { PassageRow, PassageScope, Term } from './passage.repository.ts';
import { MAX_CONTEXT, pickAnswers, pickContext, type Ranked, rankPassages, WEIGHTS } from './ranking.policy.ts';
import { readQuestion, wordsOf } from './question-words.policy.ts';
import { synonymGroups } from './synonyms.data.ts';
import { stemmable } from './word-stem.format.ts';

/** Lessons split per transaction. */
const AT_ONCE = 25;
const OPENING = 2;
/** Shorter words are similar to too many others. */
const SHORTEST_NEARLY = 5;

/** Splits lessons that have no current passages. */
async function readTexts(ctx: Ctx, scope: PassageScope): Promise<void> {
  const { locale } = scope;
  const unsplit = await passages.findUnsplit(ctx.db, scope);
  for (let at = 0; at < unsplit.length; at += AT_ONCE)
    await inTransaction(ctx.db, async (trx) => {
      const texts = await passages.claimTexts(trx, { lessonKeys: unsplit.slice(at, at + AT_ONCE), locale });
      const cut = texts.flatMap(({ lesson_key, title, html }) =>
        passagesOf(html, locale).map(({ text, heading, anchor, section, isExample }, position) => ({
          lesson_key,
          position,
          section,
          heading,
          anchor,
          is_example: isExample,
          body: text,
          words: stemmable(text, locale),
          heading_words: stemmable(`${title} ${heading ?? ''}`, locale),
        })),
      );
      await passages.insertPassages(trx, locale, cut);
    });
}

export type Found = {
  /** Passages that answer the question, best first. */
  answers: PassageRow[];
  /** These and further passages, as context for a model. */
  context: PassageRow[];
};

/** Finds passages about a question in a lesson and the readable rest of its course. */
export async function retrieve(
  ctx: Ctx,
  {
    course,
    lessonKey,
    question,
    locale,
  }: { course: CourseAccess; lessonKey: string; question: string; locale: Locale },
): Promise<Found> {
  const others = await passages.findLessonKeys(ctx.db, readableJourneys(course));
  const scope: PassageScope = { lessonKeys: [...new Set([lessonKey, ...others])], locale };
  await readTexts(ctx, scope);
  const lexemes = await lexemesOf(ctx, wordsOf(question, locale), locale);
  const { subject, isAboutWhole } = readQuestion([...lexemes.keys()], locale);
  if (isAboutWhole) {
    const beginning = Array.from({ length: MAX_CONTEXT }, (_, position) => ({ lesson: lessonKey, position }));
    const context = await passages.findPassages(ctx.db, locale, beginning);
    return { answers: context.slice(0, OPENING), context };
  }
  const spelled = new Map(
    subject.flatMap((word) => (lexemes.get(word) ?? []).map((lexeme) => [lexeme, word] as const)),
  );
  const ranked = await rank(ctx, scope, spelled, lessonKey);
  const context = pickContext(ranked);
  const read = await passages.findPassages(ctx.db, locale, context);
  const idOf = ({ lesson, position }: { lesson: string; position: number }) => `${lesson} ${position}`;
  const best = new Set(pickAnswers(ranked).map(idOf));
  return { answers: read.filter((passage) => best.has(idOf(passage))), context: read };
}

/** Synonyms by language: lexeme to lexemes. */
const synonymsByLocale = new Map<Locale, Promise<Map<string, Set<string>>>>();

async function readSynonyms(ctx: Ctx, locale: Locale): Promise<Map<string, Set<string>>> {
  const groups = synonymGroups(locale);
  const lexemes = await passages.findLexemes(ctx.lastingDb, groups.flat(), locale);
  const alike = new Map<string, Set<string>>();
  let at = 0;
  for (const group of groups) {
    const members = new Set(lexemes.slice(at, at + group.length).flat());
    at += group.length;
    for (const member of members) alike.set(member, new Set([...(alike.get(member) ?? []), ...members]));
  }
  return alike;
}

/** The lexemes of each word. Words without any are left out. */
async function lexemesOf(ctx: Ctx, words: string[], locale: Locale): Promise<Map<string, string[]>> {
  const lexemes = await passages.findLexemes(ctx.db, words, locale);
  return new Map(words.map((word, at) => [word, lexemes[at] ?? []] as const).filter(([, found]) => found.length > 0));
}

/** The lexemes of the question and their synonyms. */
async function termsOf(ctx: Ctx, query: string[], locale: Locale): Promise<Term[]> {
  const reading = synonymsByLocale.get(locale) ?? readSynonyms(ctx, locale);
  synonymsByLocale.set(locale, reading);
  const alike = await reading.catch((error: unknown) => {
    synonymsByLocale.delete(locale);
    throw error;
  });
  return query.flatMap((lexeme, word): Term[] => [
    { lexeme, word, worth: 1 },
    ...[...(alike.get(lexeme) ?? [])]
      .filter((other) => other !== lexeme)
      .map((other) => ({ lexeme: other, word, worth: WEIGHTS.synonym })),
  ]);
}

/** Ranks passages for the lexemes. `spelled` maps each lexeme to its word in the question. */
async function rank(ctx: Ctx, scope: PassageScope, spelled: Map<string, string>, lesson: string): Promise<Ranked[]> {
  if (spelled.size === 0) return [];
  const terms = await termsOf(ctx, [...spelled.keys()], scope.locale);
  const [hits, total] = await Promise.all([
    passages.findHits(ctx.db, scope, terms),
    passages.countPassages(ctx.db, scope),
  ]);
  const known = new Set(hits.map(({ word }) => word));
  const unknown = [...spelled.values()].flatMap((word, at) =>
    known.has(at) || word.length < SHORTEST_NEARLY ? [] : [{ word, at }],
  );
  const nearly = await passages.findSimilarSpellings(ctx.db, scope, unknown);
  return rankPassages({ words: spelled.size, hits, nearly, total, lesson });
}
