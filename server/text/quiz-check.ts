import type { BlockView } from './blocks/block.ts';
import { checkAnswer, type GivenAnswer } from './blocks/quiz-answer.ts';
import { readQuiz, revisionOf, type Quiz } from './blocks/quiz.ts';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { finishHtml, renderMarkdown, type RenderOptions } from './markdown.ts';

/** A question of a text with its key, for the server only. */
export type KnownQuiz = { view: BlockView; quiz: Quiz; revision: string };
/** `feedback` is safe HTML. */
export type CheckedAnswer = {
  correct: boolean;
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
  const verdict = checkAnswer(quiz, view.attributes, given);
  if (!verdict) return undefined;
  const feedbackOf = (tokens: Quiz['feedback']) =>
    tokens.length === 0 ? null : finishHtml(view.html(tokens), options);
  return {
    correct: verdict.isCorrect,
    options: verdict.options.map(({ option, isCorrect }) => ({
      option,
      correct: isCorrect,
      feedback: feedbackOf(quiz.options[option - 1]?.feedback ?? []),
    })),
    feedback: feedbackOf(quiz.feedback),
  };
}
