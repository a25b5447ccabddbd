import { createHash } from 'node:crypto';
import { escapeHtml } from '../html.ts';
import type { BlockType, BlockView, QuizLabels } from './block.ts';
import { type Quiz, readQuiz } from './quiz-content.ts';
import { answerFields } from './quiz-fields.ts';

/** `:::quiz` with a question and its key: a task list whose `- [x]` marks right answers, pairs, a list in order, or criteria to mark by. */
export const quiz: BlockType = {
  kind: 'container',
  holdsBlocks: false,
  attributes: {
    // `readQuiz` handles unknown types, which the checks before publication name.
    type: () => true,
    answer: (value) => value.trim() !== '',
    tolerance: (value) => /^\d+(?:\.\d+)?$/.test(value),
    case: isFlag,
    accents: isFlag,
    hint: (value) => value.trim() !== '',
    points: (value) => /^(?:[1-9]\d?|100)$/.test(value),
    words: (value) => /^[1-9]\d{0,3}$/.test(value),
    tags: (value) => /[^\s,]/.test(value),
  },
  render(view) {
    const { id, options } = view;
    const own = readQuiz(view);
    const name = escapeHtml(`quiz-${id}`);
    const labels = options.quizLabels;
    const hidden = Object.entries({ intent: 'answer', quiz: id, revision: revisionOf(view, own) });
    const fields = hidden.map(([key, value]) => `<input type="hidden" name="${key}" value="${escapeHtml(value)}">`);
    const more = own.more.length === 0 ? '' : `<div class="quiz-more">\n${view.html(own.more)}</div>\n`;
    const hint = hintOf(view.attributes['hint'], labels);
    return (
      `<form class="quiz" id="${name}" method="post" action="#${name}-result">\n${fields.join('')}\n` +
      `<fieldset>\n<legend>${questionOf(view, own)}</legend>\n${more}${answerFields(view, own)}${hint}</fieldset>\n` +
      `<div class="quiz-result" id="${name}-result" role="status" tabindex="-1"></div>\n` +
      `${labels ? submit(labels) : ''}</form>`
    );
  },
};

/** Readers open a hint before they answer, so it is no part of the key. */
function hintOf(hint: string | undefined, labels: QuizLabels | undefined): string {
  if (hint === undefined) return '';
  return `<details class="quiz-help"><summary>${escapeHtml(labels?.hint ?? '')}</summary>\n<p>${escapeHtml(hint)}</p></details>\n`;
}

/** Saved pages hide what needs the network and show why. */
function submit({ check, offline }: QuizLabels): string {
  return (
    `<button type="submit" class="needs-network">${escapeHtml(check)}</button>\n` +
    `<div class="quiz-offline saved-only">${escapeHtml(offline)}</div>\n`
  );
}

function isFlag(value: string): boolean {
  return value === 'true' || value === 'false';
}

/** A short digest of what readers see of a question, so that answers to a former text are recognised. */
export function revisionOf(view: BlockView, own: Quiz): string {
  const seen = [
    own.type,
    questionOf(view, own),
    view.html(own.more),
    ...[...own.prompts, ...own.options].map(({ text }) => view.html(text)),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 12);
}

/** The question as safe HTML. */
export function questionOf({ html, label }: BlockView, { question }: Quiz): string {
  return question.length === 0 ? escapeHtml(label) : html(question);
}
