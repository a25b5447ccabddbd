import type { Locale } from '@officium/i18n/locales';
import { EVALUATION_TYPES, type Doc } from './kinds.ts';

type Questions = Extract<Doc, { kind: 'journey' }>['evaluation'];
type Texts = Partial<Record<Locale, string>>;
/** Merges the submitted languages of a field into its texts. */
type Merge = (name: string, before: Texts) => Texts;

const HAS_OPTIONS = new Set(['single', 'multiple']);
const optionsIn = (texts: Texts) => (Object.values(texts)[0] ?? '').split('\n').filter((line) => line.trim()).length;

/** The submitted questions. One without text in the source language is removed, or was never written. */
export function evaluationOf(fields: FormData, before: Questions, source: Locale, merge: Merge): Questions {
  const questions: Questions = [];
  for (let at = 0; fields.has(`evaluation_${at}_type`); at++) {
    const former = before.find(({ id }) => id === fields.get(`evaluation_${at}_id`));
    const type = EVALUATION_TYPES.find((each) => each === fields.get(`evaluation_${at}_type`)) ?? 'scale';
    const text = merge(`evaluation_${at}_text`, former?.text ?? {});
    const written = merge(`evaluation_${at}_options`, former?.options ?? {});
    const options = HAS_OPTIONS.has(type) ? written : {};
    if (text[source] === undefined) continue;
    // Answers to a question are counted under its id, so another question gets another one.
    const isSame = former?.type === type && optionsIn(former.options) === optionsIn(options);
    questions.push({ id: isSame ? former.id : newId(), type, text, options });
  }
  return questions;
}

const newId = () => crypto.randomUUID().slice(0, 13);

/** The questions with submitted translations. */
export function translatedEvaluation(before: Questions, merge: Merge): Questions {
  return before.map((question, at) => ({
    ...question,
    text: merge(`evaluation_${at}_text`, question.text),
    options: HAS_OPTIONS.has(question.type) ? merge(`evaluation_${at}_options`, question.options) : {},
  }));
}
