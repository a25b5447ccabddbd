import type { BlockSet, BlockView } from './blocks/block.ts';
import { isMultiple, questionOf, type QuizType, readQuiz } from './blocks/quiz.ts';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { finishHtml, type RenderOptions } from './markdown.ts';

/** A rendered question with its key, as the database stores it. All HTML is safe. */
export type AssessmentQuestion = {
  /** The id of its block in the text. */
  quiz: string;
  type: QuizType;
  isMultiple: boolean;
  questionHtml: string;
  moreHtml: string;
  options: { html: string; isRight: boolean; feedbackHtml: string | null }[];
  feedbackHtml: string | null;
  /** `answer` and how to compare with it, for answers to type. */
  key: Record<string, string>;
};

const KEY = ['answer', 'tolerance', 'case', 'accents'];

/**
 * Blocks that render a text without its questions and collect those instead. Rendering a text again replaces them, because
 * their ids are the same.
 */
export function collectQuestions(options: RenderOptions): {
  blocks: BlockSet;
  questions: () => AssessmentQuestion[];
} {
  const found = new Map<string, AssessmentQuestion>();
  const quiz = LESSON_BLOCKS.get('quiz');
  const render = (view: BlockView) => {
    found.set(view.id, toQuestion(view, options));
    return '';
  };
  return {
    blocks: quiz ? new Map([...LESSON_BLOCKS, ['quiz', { ...quiz, render }]]) : LESSON_BLOCKS,
    questions: () => [...found.values()],
  };
}

function toQuestion(view: BlockView, options: RenderOptions): AssessmentQuestion {
  const own = readQuiz(view);
  const finish = (html: string) => finishHtml(html, options);
  const feedback = (tokens: typeof own.feedback) => (tokens.length === 0 ? null : finish(view.html(tokens)));
  const isTyped = own.type === 'number' || own.type === 'text';
  return {
    quiz: view.id,
    type: own.type,
    isMultiple: isMultiple(own),
    questionHtml: finish(questionOf(view, own)),
    moreHtml: own.more.length === 0 ? '' : finish(view.html(own.more)),
    options: own.options.map((option) => ({
      html: option.text.length === 0 ? '' : finish(view.html(option.text)),
      isRight: option.isRight,
      feedbackHtml: feedback(option.feedback),
    })),
    feedbackHtml: feedback(own.feedback),
    key: isTyped ? Object.fromEntries(Object.entries(view.attributes).filter(([name]) => KEY.includes(name))) : {},
  };
}
