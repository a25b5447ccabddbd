import type { EvaluationQuestion } from '@officium/contract/evaluation';

/** The answer of one person to one question. */
export type EvaluationAnswer = { question: string; choice: number[]; text: string };

/** Counted answers to one question. `counts`: number of the option or step → answers. */
export type QuestionCount = {
  question: EvaluationQuestion;
  shape: string;
  answers: number;
  counts: Record<string, number>;
  texts: string[];
};

/** Answers of several people, with nothing that tells which belong to the same one. */
export type Batch = { people: number; questions: Record<string, QuestionCount> };
