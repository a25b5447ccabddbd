import { matchingKey, numberKey, type QuestionKey, textKey } from './question-key.policy.ts';
import { decimalOf, type Note, type PortableRemark } from './question.policy.ts';

/** Reads a text: of one paragraph if `isLine`, else of any number. */
type ReadText = (written: string, isLine: boolean) => string;
type Answer = { isRight: boolean; weight: number | undefined; text: string; feedback: string };

/** Reads what stands between the braces of a question. */
export function readGiftAnswers(written: string, read: ReadText, note: Note): QuestionKey | undefined {
  const [own = '', general = ''] = splitAt(written, '####');
  const feedback = read(general, false);
  const body = own.trim();
  if (body === '') return { type: 'open', criteria: [], words: undefined, feedback };
  const truth = /^(T|TRUE|F|FALSE)(?=\s*(?:#|$))/i.exec(body);
  if (truth) {
    if (body.slice(truth[0].length).replaceAll('#', '').trim() !== '') note('feedback');
    return { type: 'true-false', answer: /^t/i.test(body), feedback };
  }
  if (body.startsWith('#')) return readNumber(body.slice(1), { feedback, read }, note);
  const answers = answersOf(body);
  if (answers.length === 0) return void note('syntax', body.slice(0, 60));
  const isShort = answers.every(({ isRight }) => isRight);
  if (isShort && answers.some(({ text }) => text.includes('->'))) return readPairs(answers, { feedback, read }, note);
  return isShort ? readShort(answers, { feedback, read }, note) : readChoice(answers, { feedback, read }, note);
}

function readPairs(
  answers: Answer[],
  { feedback, read }: { feedback: string; read: ReadText },
  note: Note,
): QuestionKey | undefined {
  if (answers.some((answer) => answer.feedback.trim() !== '')) note('feedback');
  const broken = answers.find(({ text }) => !text.includes('->'));
  if (broken) return void note('syntax', broken.text.trim());
  const pairs = answers.map(({ text }) => {
    const at = text.indexOf('->');
    return { prompt: read(text.slice(0, at), true), answer: read(text.slice(at + 2), true), feedback: '' };
  });
  return matchingKey(pairs, feedback);
}

/** Answers with a weight of 0 are wrong ones with feedback. */
function readShort(
  answers: Answer[],
  { feedback, read }: { feedback: string; read: ReadText },
  note: Note,
): QuestionKey | undefined {
  const accepted = answers.filter(({ weight }) => weight === undefined || weight >= 100);
  if (answers.some(({ weight = 0 }) => weight > 0 && weight < 100)) note('partial-credit');
  const told = answers.filter(({ weight }) => weight === undefined || weight >= 100 || weight === 0);
  if (told.length < answers.length && answers.some((each) => !told.includes(each) && each.feedback.trim() !== ''))
    note('feedback');
  const remarks = told.map((each) => ({ answer: plain(each.text), feedback: read(each.feedback, false) }));
  const texts = accepted.map(({ text }) => plain(text));
  return textKey(texts, { feedback, isCaseSensitive: false, remarks }, note);
}

function readChoice(
  answers: Answer[],
  { feedback, read }: { feedback: string; read: ReadText },
  note: Note,
): QuestionKey {
  const hasRight = answers.some(({ isRight }) => isRight);
  const isPartly = ({ isRight, weight = 0 }: Answer) => hasRight && !isRight && weight > 0 && weight < 100;
  if (answers.some(isPartly)) note('partial-credit');
  const options = answers.map((answer) => ({
    text: read(answer.text, true),
    // If no answer is marked `=`, the weights tell which are right.
    isRight: answer.isRight || (hasRight ? answer.weight === 100 : (answer.weight ?? 0) > 0),
    feedback: read(answer.feedback, false),
  }));
  return { type: 'choice', options, feedback };
}

function readNumber(
  written: string,
  { feedback, read }: { feedback: string; read: ReadText },
  note: Note,
): QuestionKey | undefined {
  const isList = /^\s*[=~]/.test(written);
  const all = isList ? answersOf(written.trim()) : [{ isRight: true, weight: undefined, ...partsOf(written) }];
  const right = all.filter(({ isRight, weight }) => isRight && (weight === undefined || weight >= 100));
  if (all.some(({ isRight, weight = 0 }) => isRight && weight > 0 && weight < 100)) note('partial-credit');
  const [only] = right;
  if (!only) return void note('no-right-answer');
  if (right.length > 1) return void note('several-answers');
  const text = only.text.trim();
  const dots = text.indexOf('..', 1);
  const wrong = all
    .filter(({ weight }) => weight === 0)
    .map((each) => ({ answer: each.text.split(':')[0] ?? '', feedback: read(each.feedback, false) }));
  const own = read(only.feedback, false);
  const told = (answer: string) => [{ answer, feedback: own }, ...wrong];
  if (dots !== -1) return between(text.slice(0, dots), text.slice(dots + 2), { feedback, text, told }, note);
  const [number = '', tolerance = '0'] = text.split(':');
  return numberKey({ number, tolerance, remarks: told(number) }, feedback, note);
}

function between(
  from: string,
  to: string,
  { feedback, text, told }: { feedback: string; text: string; told: (answer: string) => PortableRemark[] },
  note: Note,
): QuestionKey | undefined {
  const [low, high] = [decimalOf(from), decimalOf(to)];
  if (low === undefined || high === undefined || Number(low) > Number(high)) return void note('number', text);
  const rounded = (value: number) => String(Number(value.toPrecision(12)));
  const number = rounded((Number(low) + Number(high)) / 2);
  const tolerance = rounded((Number(high) - Number(low)) / 2);
  return numberKey({ number, tolerance, remarks: told(number) }, feedback, note);
}

/** Splits `=right #feedback ~wrong ~%50%partly`. */
function answersOf(body: string): Answer[] {
  const starts = [...body.matchAll(/\\.|[=~]/gs)].filter(([found]) => found.length === 1);
  if (starts[0]?.index !== 0) return [];
  const answers = starts.map((start, at) => {
    const written = body.slice(start.index + 1, starts[at + 1]?.index ?? body.length);
    const weight = /^\s*%(-?[\d.]{1,12})%/.exec(written);
    const parts = partsOf(weight ? written.slice(weight[0].length) : written);
    return { isRight: start[0] === '=', weight: weight ? Number(weight[1]) : undefined, ...parts };
  });
  return answers.filter(({ text }) => text.trim() !== '');
}

function partsOf(written: string): { text: string; feedback: string } {
  const [text = '', feedback = ''] = splitAt(written, '#');
  return { text, feedback };
}

/** Splits at the first unescaped mark. */
function splitAt(text: string, mark: string): [string, string?] {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(mark, at)) return [text.slice(0, at), text.slice(at + mark.length)];
  }
  return [text];
}

/** An answer to type, without a format and escapes. `\*` stays for `textKey`. */
function plain(text: string): string {
  return text
    .replace(/^\s*\[(?:html|markdown|plain|moodle)\]/, '')
    .replace(/\\([~=#{}:\\])/g, '$1')
    .trim();
}
