import type { Note, PortableGap } from './question.policy.ts';

/** A gap without an end takes the rest of the text, so that it is not searched again from each brace. */
const GAP = /\{(\d*):([A-Z_]+):((?:\\[^]|[^\\}]|\\$)*)(\}|$)/g;
const SHORT = /^(?:SHORTANSWER|SA|MW)(_?C)?$/;
/** Stands for a gap while the text around it becomes Markdown. No question file has a use for these characters. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

type Cloze = { text: string; gaps: PortableGap[]; isCaseSensitive: boolean; weights: number[] };

/** Takes the gaps out of a text. Undefined if a gap is of another kind than a short answer. `toMarkdown` converts the rest. */
export function readCloze(
  source: string,
  toMarkdown: (text: string) => string,
  toPlain: (text: string) => string,
  note: Note,
): Cloze | undefined {
  const gaps: PortableGap[] = [];
  const cases = new Set<boolean>();
  const weights: number[] = [];
  let other: string | undefined;
  const plain = source
    .replace(/[\uE000\uE001]/g, '')
    .replace(GAP, (whole, weight: string, type: string, written: string, end: string) => {
      if (end === '') return whole;
      const short = SHORT.exec(type);
      if (!short) other ??= type;
      cases.add(short?.[1] !== undefined);
      weights.push(Number(weight || '1'));
      gaps.push(gapOf(written, toPlain, note));
      return `${OPEN}${gaps.length}${CLOSE}`;
    });
  if (other !== undefined || gaps.length === 0) return void note('type', `cloze ${other ?? ''}`.trim());
  if (cases.size > 1) return void note('inexpressible', 'capitals');
  const text = toMarkdown(plain).replace(/\uE000(\d+)\uE001/g, '[$1]');
  return { text, gaps, isCaseSensitive: cases.has(true), weights };
}

/** Reads `=right#feedback~%50%half~wrong`. */
function gapOf(written: string, toPlain: (text: string) => string, note: Note): PortableGap {
  const answers = splitAt(written, '~').map((answer) => {
    const [, weight, body = ''] = /^\s*(=|%-?[\d.]{1,12}%)?([^]*)$/.exec(answer) ?? [];
    const [text = '', ...feedback] = splitAt(body, '#');
    return {
      share: weight === '=' ? 100 : Number(weight?.replaceAll('%', '') ?? 0),
      text,
      feedback: feedback.join('#'),
    };
  });
  if (answers.some(({ share }) => share > 0 && share < 100)) note('partial-credit');
  if (answers.some(({ feedback }) => feedback.trim() !== '')) note('feedback');
  const right = answers.filter(({ share }) => share >= 100).map(({ text }) => toPlain(unescape(text)));
  const literal = right.map((text) => text.replace(/\s+/g, ' ').trim());
  const pattern = literal.find((text) => /(?<!\\)\*/.test(text));
  if (pattern !== undefined) note('pattern', pattern);
  const taken = literal.filter((text) => !/(?<!\\)\*/.test(text)).map((text) => text.replaceAll('\\*', '*'));
  if (taken.some((text) => text.includes('|'))) note('inexpressible', '|');
  return { answers: [...new Set(taken)].filter((text) => text !== ''), feedback: '' };
}

/** Splits at a sign that no backslash escapes. */
function splitAt(text: string, sign: '~' | '#'): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\\[^]|[^]/g)) {
    if (piece === sign) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

function unescape(text: string): string {
  return text.replace(/\\([}#~/"\\])/g, '$1');
}

/** Writes the gaps of a text. */
export function writeCloze(text: string, gaps: readonly PortableGap[], isCaseSensitive: boolean): string {
  const type = isCaseSensitive ? 'SHORTANSWER_C' : 'SHORTANSWER';
  return text.replace(/\[(\d{1,2})\](?![([])/g, (written, number: string) => {
    const gap = gaps[Number(number) - 1];
    if (!gap) return written;
    const answers = gap.answers.map((answer) => `=${answer.replace(/[}#~\\]/g, '\\$&').replaceAll('*', '\\*')}`);
    return `{1:${type}:${answers.join('~')}}`;
  });
}
