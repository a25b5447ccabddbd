import { MAX_TYPED_ANSWER } from '@officium/contract/answers';
import type { BlockView } from './blocks/block.ts';
import { checkAnswer, type GivenAnswer, typedMatch } from './blocks/quiz-answer.ts';
import { keyOf, type Quiz, readQuiz } from './blocks/quiz-content.ts';
import { revisionOf } from './blocks/quiz.ts';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { finishHtml, renderMarkdown, type RenderOptions } from './markdown.ts';

/** A question of a text with its key, for the server only. */
export type KnownQuiz = { view: BlockView; quiz: Quiz; revision: string };
/** `feedback` is safe HTML. */
export type CheckedAnswer = {
  /** null: an open question; `feedback` has its criteria and model answer. */
  correct: boolean | null;
  right: number;
  total: number;
  prompts: { prompt: number; correct: boolean; feedback: string | null }[];
  options: { option: number; correct: boolean; feedback: string | null }[];
  feedback: string | null;
};

/** Finds a question by the id it has on the page. */
export function findQuiz(source: string, id: string): KnownQuiz | undefined {
  const quiz = LESSON_BLOCKS.get('quiz');
  let found: KnownQuiz | undefined;
  const render = (view: BlockView) => {
    if (view.id === id) {
      const own = readQuiz(view);
      found = { view, quiz: own, revision: revisionOf(view, own) };
    }
    return '';
  };
  if (quiz) renderMarkdown(source, { blocks: new Map([...LESSON_BLOCKS, ['quiz', { ...quiz, render }]]) });
  return found;
}

/** Checks an answer and renders the feedback for it. Undefined without an answer that the question can have. */
export function checkQuiz(
  { view, quiz }: KnownQuiz,
  given: GivenAnswer,
  options: RenderOptions,
): CheckedAnswer | undefined {
  const feedbackOf = (tokens: Quiz['feedback']) =>
    tokens.length === 0 ? null : finishHtml(view.html(tokens), options);
  if (quiz.type === 'open') {
    if (given.text.trim() === '') return undefined;
    const feedback = [criteriaList(view, quiz, options), feedbackOf(quiz.feedback)].filter(Boolean).join('');
    return { correct: null, right: 0, total: 0, prompts: [], options: [], feedback: feedback || null };
  }
  if (given.text.length > MAX_TYPED_ANSWER) return undefined;
  const verdict = checkAnswer(quiz, keyOf(quiz, view.attributes), given);
  if (!verdict) return undefined;
  const own = typedMatch(quiz, view.attributes, given.text);
  const feedback = [feedbackOf(own?.feedback ?? []), feedbackOf(quiz.feedback)].filter(Boolean).join('');
  return {
    correct: verdict.isCorrect,
    right: verdict.right,
    total: verdict.total,
    prompts: verdict.prompts.map(({ prompt, isCorrect }) => ({
      prompt,
      correct: isCorrect,
      feedback: feedbackOf(quiz.prompts[prompt - 1]?.feedback ?? []),
    })),
    options: verdict.options.map(({ option, isCorrect }) => ({
      option,
      correct: isCorrect,
      feedback: feedbackOf(quiz.options[option - 1]?.feedback ?? []),
    })),
    feedback: feedback || null,
  };
}

function criteriaList(view: BlockView, { criteria }: Quiz, options: RenderOptions): string {
  const items = criteria.map(({ text }) => `<li>${finishHtml(view.html(text), options)}</li>\n`);
  return items.length === 0 ? '' : `<ul>\n${items.join('')}</ul>\n`;
}
