import type { ReplyOf } from '@officium/contract/endpoint';
import type { checkAnswer } from '@officium/contract/answers';

/** An answer that was submitted, with what the server says about it. */
export type QuizAnswer = {
  /** The question's id within the text. */
  quiz: string;
  choice: number[];
  text: string;
  places: number[];
  gaps: string[];
  verdict?: ReplyOf<typeof checkAnswer>;
  problem?: string;
};
/** The words around a result, in the language of the page. */
export type ResultWords = {
  locale: string;
  right: string;
  wrong: string;
  /** How many parts of an answer are right: pairs, or for `orderPartly` neighbours. */
  partly: (right: number, total: number) => string;
  orderPartly: (right: number, total: number) => string;
  optionRight: string;
  optionWrong: string;
  /** Above the model answer of an open question. */
  compare: string;
};

const FORM_END = '</form>';
const EMPTY = /(<div class="quiz-result"[^>]*>)<\/div>/;

/** The answer that the page's action returned, if it was one. */
export function answerOf(data: unknown): QuizAnswer | undefined {
  const isAnswer = typeof data === 'object' && data !== null && 'answered' in data;
  return isAnswer ? (data.answered as QuizAnswer) : undefined; // only answer.act.ts returns this shape
}

/** The place of a question's form in the server's HTML of a text; undefined without one. */
function formIn(html: string, quiz: string): { start: number; end: number } | undefined {
  const start = html.indexOf(`<form class="quiz" id="quiz-${escape(quiz)}"`);
  const end = html.indexOf(FORM_END, start);
  return start === -1 || end === -1 ? undefined : { start, end };
}

/** Fills the form of a question with an answer and its result, for pages without script. */
export function withAnswer(html: string, answer: QuizAnswer, words: ResultWords): string {
  const found = formIn(html, answer.quiz);
  if (!found) return html;
  const { start, end } = found;
  const form = html
    .slice(start, end)
    .replace(CHOICE, (field, option: string) => (answer.choice.includes(Number(option)) ? `${field} checked` : field))
    .replace(TEXT, (field) => `${field} value="${escape(answer.text)}"`)
    .replace(AREA, (field) => `${field}\n${escape(answer.text)}`)
    .replace(PLACE, fillPlaces(answer.places))
    .replace(GAPS, fillGaps(answer.gaps));
  const result = resultHtml(html, answer, words);
  return (
    html.slice(0, start) + form.replace(EMPTY, (_, opening: string) => `${opening}${result}</div>`) + html.slice(end)
  );
}

// Fields begin with their `<`, which no text of an author contains.
const CHOICE = /<input type="(?:radio|checkbox)" name="choice" value="(\d+)"/g;
const TEXT = '<input type="text" name="text"';
const AREA = /<textarea name="text"[^>]*>(?=<\/textarea>)/;
const GAP = '<input type="text" name="gap"';
const GAPS = new RegExp(GAP, 'g');

const PLACE = /<select name="place">[^]*?<\/select>|<input type="number" name="place"/g;

/** Returns a function that fills the fields of a question to match or to order, one after the other. */
function fillPlaces(places: readonly number[]): (field: string) => string {
  let nth = 0;
  return (field) => {
    const place = places[nth++] || undefined; // 0 is an empty field
    if (place === undefined) return field;
    return field.startsWith('<select')
      ? field.replace(`<option value="${place}"`, (option) => `${option} selected`)
      : `${field} value="${place}"`;
  };
}

function fillGaps(gaps: readonly string[]): (field: string) => string {
  let nth = 0;
  return (field) => `${field} value="${escape(gaps[nth++] ?? '')}"`;
}

/**
 * The result of an answer. The texts of options come from `html`, the text as the server sent it: in what browsers write of a
 * page, an attribute may contain `<` and `>`, so that an author could end one.
 */
export function resultHtml(html: string, { quiz, verdict, problem }: QuizAnswer, words: ResultWords): string {
  const found = formIn(html, quiz);
  const form = found ? html.slice(found.start, found.end) : '';
  const lang = `lang="${escape(words.locale)}"`;
  if (!verdict) return `<p class="quiz-verdict" ${lang}>${escape(problem ?? '')}</p>`;
  const lineOf = (text: string, { correct, feedback }: { correct: boolean; feedback: string | null }) => {
    const word = correct ? words.optionRight : words.optionWrong;
    return `<li><strong ${lang}>${signOf(correct)} ${escape(word)}:</strong> ${text}${feedback ?? ''}</li>`;
  };
  const options = [
    ...verdict.options.map((option) => lineOf(optionOf(form, option.option), option)),
    ...verdict.prompts.map((prompt) => lineOf(promptOf(form, prompt.prompt), prompt)),
  ];
  if (verdict.correct === null)
    return `<p class="quiz-verdict" ${lang}>${escape(words.compare)}</p>${verdict.feedback ?? ''}`;
  const { right, total } = verdict;
  const partly = form.includes('<label class="quiz-place">') ? words.orderPartly : words.partly;
  const parts = verdict.correct || total < 2 ? '' : ` ${escape(partly(right, total))}`;
  const said = `${signOf(verdict.correct)} ${escape(verdict.correct ? words.right : words.wrong)}${parts}`;
  return (
    `<p class="quiz-verdict ${verdict.correct ? 'is-right' : 'is-wrong'}" ${lang}>${said}</p>` +
    (options.length === 0 ? '' : `<ul>${options.join('')}</ul>`) +
    (verdict.feedback ?? '')
  );
}

const signOf = (isRight: boolean) => `<span aria-hidden="true">${isRight ? '✓' : '✗'}</span>`;

function optionOf(form: string, option: number): string {
  const label = new RegExp(`<input type="[a-z]+" name="choice" value="${option}">([^]*?)</label>`);
  return label.exec(form)?.[1]?.trim() ?? '';
}

function promptOf(form: string, prompt: number): string {
  if (form.includes(GAP)) return `[${prompt}]`;
  const prompts = [...form.matchAll(/<label class="quiz-match"><span>([^]*?)<\/span> <select/g)];
  return prompts[prompt - 1]?.[1]?.trim() ?? '';
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
