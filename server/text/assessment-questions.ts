import type { Token } from 'markdown-it';
import type { BlockSet, BlockView } from './blocks/block.ts';
import { questionOf } from './blocks/quiz.ts';
import {
  isMultiple,
  keyOf,
  pointsOf,
  type Quiz,
  type QuizType,
  readQuiz,
  tagsOf,
  wordsOf,
} from './blocks/quiz-content.ts';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { finishHtml, type RenderOptions } from './markdown.ts';

/** A rendered question with its key, as the database stores it. All HTML is safe. */
export type AssessmentQuestion = {
  /** The id of its block in the text. */
  quiz: string;
  type: QuizType;
  /** Absent in questions that were published before there were tags. */
  tags?: string[];
  isMultiple: boolean;
  questionHtml: string;
  moreHtml: string;
  options: { html: string; isRight: boolean; feedbackHtml: string | null }[];
  /** The targets of a matching question; for gaps, their numbers as the text has them. */
  prompts?: { html: string; feedbackHtml: string | null }[];
  /** The key of a question to match or to order, as `Quiz` has it. */
  places?: number[];
  /** The key of gaps, as `Quiz` has it. */
  gaps?: string[];
  /** Feedback for answers to type, part of the key. */
  typed?: { text: string; isRight: boolean; feedbackHtml: string | null }[];
  /** The criteria that an open answer is marked by; absent if it is marked as a whole. */
  criteria?: { html: string; points: number }[];
  /** The most words that an open answer should have. */
  words?: number;
  /** Plain text. */
  hint?: string;
  /** 1 if absent. */
  points?: number;
  /** The model answer of an open question. */
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
  const isTyped = own.type === 'number' || own.type === 'text' || own.type === 'gaps';
  const points = pointsOf(own, view.attributes);
  return {
    quiz: view.id,
    type: own.type,
    tags: tagsOf(view.attributes['tags'] ?? ''),
    isMultiple: isMultiple(own),
    questionHtml: finish(questionOf(view, own)),
    moreHtml: own.more.length === 0 ? '' : finish(view.html(own.more)),
    options: own.options.map((option) => ({
      html: option.text.length === 0 ? '' : finish(view.html(option.text)),
      isRight: option.isRight,
      feedbackHtml: feedback(option.feedback),
    })),
    ...partsOf(own, (text) => finish(view.html(text)), feedback),
    ...(own.typed.length === 0
      ? {}
      : {
          typed: own.typed.map(({ text, isRight, feedback: told }) => ({
            text,
            isRight,
            feedbackHtml: feedback(told),
          })),
        }),
    ...(own.type === 'open' ? openOf(view, own, finish) : {}),
    feedbackHtml: feedback(own.feedback),
    ...(view.attributes['hint'] === undefined ? {} : { hint: view.attributes['hint'] }),
    ...(points === 1 ? {} : { points }),
    key: isTyped
      ? Object.fromEntries(Object.entries(keyOf(own, view.attributes)).filter(([name]) => KEY.includes(name)))
      : {},
  };
}

function openOf(
  view: BlockView,
  { criteria }: Quiz,
  finish: (html: string) => string,
): Pick<AssessmentQuestion, 'criteria' | 'words'> {
  const words = wordsOf(view.attributes);
  const shown = criteria.map(({ text, points }) => ({ html: finish(view.html(text)), points }));
  return { ...(shown.length === 0 ? {} : { criteria: shown }), ...(words === undefined ? {} : { words }) };
}

/** The parts of a matching, ordering or gaps question beside its options. */
function partsOf(
  { type, prompts, places, gaps }: Quiz,
  html: (text: readonly Token[]) => string,
  feedback: (tokens: readonly Token[]) => string | null,
): Pick<AssessmentQuestion, 'prompts' | 'places' | 'gaps'> {
  const shown = prompts.map((prompt, at) => ({
    html: type === 'gaps' ? `[${at + 1}]` : html(prompt.text),
    feedbackHtml: feedback(prompt.feedback),
  }));
  return {
    ...(shown.length === 0 ? {} : { prompts: shown }),
    ...(places.length === 0 ? {} : { places }),
    ...(gaps.length === 0 ? {} : { gaps }),
  };
}
