import type { ReplyOf } from '@officium/contract/endpoint';
import type { checkAnswer } from '@officium/contract/answers';

/** An answer that was submitted, with what the server says about it. */
export type QuizAnswer = {
  /** The question's id within the text. */
  quiz: string;
  choice: number[];
  text: string;
  verdict?: ReplyOf<typeof checkAnswer>;
  problem?: string;
};
/** The words around a result, in the language of the page. */
export type ResultWords = {
  locale: string;
  right: string;
  wrong: string;
  optionRight: string;
  optionWrong: string;
};

const FORM_END = '</form>';
const EMPTY = /(<div class="quiz-result"[^>]*>)<\/div>/;

/** The answer that the page's action returned, if it was one. */
export function answerOf(data: unknown): QuizAnswer | undefined {
  const isAnswer = typeof data === 'object' && data !== null && 'answered' in data;
  return isAnswer ? (data.answered as QuizAnswer) : undefined; // only answer.act.ts returns this shape
}

/** Fills the form of a question with an answer and its result, for pages without script. */
export function withAnswer(html: string, answer: QuizAnswer, words: ResultWords): string {
  const start = html.indexOf(`<form class="quiz" id="quiz-${escape(answer.quiz)}"`);
  const end = html.indexOf(FORM_END, start);
  if (start === -1 || end === -1) return html;
  const form = html
    .slice(start, end)
    .replace(/name="choice" value="(\d+)"/g, (field, option: string) =>
      answer.choice.includes(Number(option)) ? `${field} checked` : field,
    )
    .replace('name="text"', () => `name="text" value="${escape(answer.text)}"`);
  const filled = form.replace(EMPTY, (_, opening: string) => `${opening}${resultHtml(form, answer, words)}</div>`);
  return html.slice(0, start) + filled + html.slice(end);
}

/** The result of an answer. `form` is the server's HTML of the question, from which the texts of options come. */
export function resultHtml(form: string, { verdict, problem }: QuizAnswer, words: ResultWords): string {
  const lang = `lang="${escape(words.locale)}"`;
  if (!verdict) return `<p class="quiz-verdict" ${lang}>${escape(problem ?? '')}</p>`;
  const options = verdict.options.map(({ option, correct, feedback }) => {
    const word = correct ? words.optionRight : words.optionWrong;
    const name = `<strong ${lang}>${signOf(correct)} ${escape(word)}:</strong> ${optionOf(form, option)}`;
    return `<li>${name}${feedback ?? ''}</li>`;
  });
  const said = `${signOf(verdict.correct)} ${escape(verdict.correct ? words.right : words.wrong)}`;
  return (
    `<p class="quiz-verdict ${verdict.correct ? 'is-right' : 'is-wrong'}" ${lang}>${said}</p>` +
    (options.length === 0 ? '' : `<ul>${options.join('')}</ul>`) +
    (verdict.feedback ?? '')
  );
}

const signOf = (isRight: boolean) => `<span aria-hidden="true">${isRight ? '✓' : '✗'}</span>`;

function optionOf(form: string, option: number): string {
  return new RegExp(`name="choice" value="${option}"[^>]*>([\\s\\S]*?)</label>`).exec(form)?.[1]?.trim() ?? '';
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
