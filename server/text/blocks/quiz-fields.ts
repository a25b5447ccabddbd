import { escapeHtml } from '../html.ts';
import type { BlockView } from './block.ts';
import { isMultiple, type Quiz, wordsOf } from './quiz-content.ts';
import { plainTextOf } from './quiz-parts.ts';

const MAX_LABEL = 200;

/** The fields that answer a question, in a form without script. */
export function answerFields(view: BlockView, own: Quiz): string {
  if (own.type === 'number' || own.type === 'text') return textField(view, own);
  if (own.type === 'open') return openField(view);
  if (own.type === 'matching') return matchFields(view, own);
  if (own.type === 'ordering') return placeFields(view, own);
  if (own.type === 'gaps') return gapFields(view, own);
  return choiceFields(view, own);
}

function hintOf(words: string | undefined): string {
  return words === undefined ? '' : `<div class="quiz-hint">${escapeHtml(words)}</div>\n`;
}

function textField({ options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  const mode = own.type === 'number' ? ' inputmode="decimal"' : '';
  const label = escapeHtml(labels?.answer ?? '');
  return `<label class="quiz-field">${label} <input type="text" name="text" maxlength="500" autocomplete="off"${mode}></label>\n`;
}

/** Characters of an open answer, as `MAX_OPEN_ANSWER` of the contract. */
const MAX_OPEN = 20_000;

function openField({ attributes, options: { quizLabels: labels } }: BlockView): string {
  const label = escapeHtml(labels?.answer ?? '');
  const words = wordsOf(attributes);
  const field = `<textarea name="text" rows="8" maxlength="${MAX_OPEN}"></textarea>`;
  return `${hintOf(words === undefined ? undefined : labels?.words(words))}<label class="quiz-field">${label} ${field}</label>\n`;
}

function choiceFields({ html, options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  const isMany = isMultiple(own);
  const texts =
    own.type === 'true-false'
      ? [labels?.right ?? '', labels?.wrong ?? ''].map(escapeHtml)
      : own.options.map(({ text }) => html(text));
  const input = `<input type="${isMany ? 'checkbox' : 'radio'}" name="choice"`;
  return (
    hintOf(isMany ? labels?.many : labels?.one) +
    texts.map((text, at) => `<label class="quiz-option">${input} value="${at + 1}"> ${text}</label>\n`).join('')
  );
}

/** The answers are attributes, because as text each would be counted and found once for each prompt. */
function matchFields({ html, repeat, options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  const answers = own.options.map(
    ({ text }, at) =>
      `<option value="${at + 1}" label="${escapeHtml(plainTextOf(text).slice(0, MAX_LABEL))}"></option>`,
  );
  const choose = escapeHtml(labels?.choose ?? '');
  const select = `<select name="place"><option value="" label="${choose}"></option>${answers.join('')}</select>`;
  const prompts = own.prompts.map(({ text }) =>
    repeat(select.length) ? `<label class="quiz-match"><span>${html(text)}</span> ${select}</label>\n` : '',
  );
  return hintOf(labels?.match) + prompts.join('');
}

/** Below the text, because a field within it is cut off on narrow screens and has no name of its own. */
function gapFields({ options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  const field = '<input type="text" name="gap" maxlength="500" autocomplete="off">';
  const gap = escapeHtml(labels?.gap ?? '');
  const fields = own.gaps.map((_, at) => `<label class="quiz-field">${gap} [${at + 1}] ${field}</label>\n`);
  return hintOf(labels?.gaps) + fields.join('');
}

function placeFields({ html, options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  const field = `<input type="number" name="place" min="1" max="${own.options.length}">`;
  const items = own.options.map(
    ({ text }) => `<label class="quiz-place">${field} <span>${html(text)}</span></label>\n`,
  );
  return hintOf(labels?.order) + items.join('');
}
