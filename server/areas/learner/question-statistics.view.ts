import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import type { QuestionStatistics } from '@officium/contract/question-statistics';
import type { Locale } from '@officium/contract/common';
import { unescapeHtml } from '#server/text/html.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { discriminationOf, facilityOf, identityOf, type QuestionTally } from './question-statistics.policy.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';

type Published = readonly { locale: string; questions: AssessmentQuestion[] }[];

/** Withholds the figures of few people. */
export function toStatistics(
  people: number,
  tallies: ReadonlyMap<string, QuestionTally>,
  published: Published,
): QuestionStatistics {
  const order = published.flatMap(({ locale, questions }) => questions.map((each) => identityOf(each, locale)));
  const current = new Set(order);
  const former = [...tallies.keys()].filter((identity) => !current.has(identity));
  const known = [...current, ...former].flatMap((identity) => tallies.get(identity) ?? []);
  return {
    people: withheld(people) ? null : people,
    questions: known.map((tally) => toQuestion(tally, current)),
  };
}

const withheld = (people: number) => people > 0 && people < LEAST_PUBLISHED;

function toQuestion(tally: QuestionTally, current: ReadonlySet<string>): QuestionStatistics['questions'][number] {
  const isWithheld = withheld(tally.people);
  return {
    question: unescapeHtml(stripMarkup(tally.question.questionHtml)),
    locale: tally.locale as Locale, // the language of a body
    isCurrent: current.has(identityOf(tally.question, tally.locale)),
    people: isWithheld ? null : tally.people,
    facility: isWithheld ? null : facilityOf(tally),
    discrimination: isWithheld ? null : discriminationOf(tally),
  };
}
