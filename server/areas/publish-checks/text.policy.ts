import type { Locale } from '@officium/contract/common';
import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';

/** Bullets, dashes, numbers and letters that authors type to imitate a list. */
const HAND_MADE = /^(?:[•·‣▪◦●○■□►▶➢➤✓✔–—−*-]|\p{Nd}{1,2}[.)]|\(\p{Nd}{1,2}\)|\p{Ll}\)|\(\p{Ll}\))\s/u;
/** Dashes at the start of separate blocks introduce direct speech or a source. */
const DASH = /^[–—−]/;
const BLOCKS = new Set(['p', 'li', 'td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'blockquote']);
/** Minimum number of consecutive capitalised words, and of their letters, that is not a name or an abbreviation. */
const CAPITALS = { words: 4, letters: 18 };

type Script = 'Latin' | 'Arabic' | 'Cyrillic' | 'Han' | 'Kana' | 'Hangul' | 'other';
const SCRIPTS: readonly [Exclude<Script, 'other'>, RegExp][] = [
  ['Latin', /^\p{Script=Latin}/u],
  ['Arabic', /^\p{Script=Arabic}/u],
  ['Cyrillic', /^\p{Script=Cyrillic}/u],
  ['Han', /^\p{Script=Han}/u],
  ['Kana', /^[\p{Script=Hiragana}\p{Script=Katakana}ー]/u],
  ['Hangul', /^\p{Script=Hangul}/u],
];
const OF_LOCALE: Partial<Record<Locale, readonly Script[]>> = {
  ar: ['Arabic'],
  'sr-Cyrl': ['Cyrillic'],
  ja: ['Kana', 'Han'],
  ko: ['Hangul', 'Han'],
};
/** Fewer letters do not determine a language, because names, products and abbreviations are not translated. */
const MIN_LETTERS = { text: 40, block: 80 };

type Block = { line: number; text: string; own: number; letters: number; isMarked: boolean };

/** Checks for hand-made lists, long runs of capitals and text in the wrong language. */
export class TextChecks implements Check {
  readonly #report: Report;
  readonly #scripts: readonly Script[];
  readonly #isJapanese: boolean;
  readonly #foreign: Block[] = [];
  #block: Block | undefined;
  #line = { text: '', at: 1, marks: 0, from: { line: 1, text: '' } };
  #isReported = false;
  #links = 0;
  #own = 0;
  #kana = 0;
  #letters = 0;

  constructor(report: Report, locale: Locale) {
    this.#report = report;
    this.#scripts = OF_LOCALE[locale] ?? ['Latin'];
    this.#isJapanese = locale === 'ja';
  }

  open({ tag, attributes, line }: Element): void {
    if (BLOCKS.has(tag)) {
      this.#endBlock();
      this.#block = { line, text: '', own: 0, letters: 0, isMarked: 'lang' in attributes };
    } else if (attributes['lang'] !== undefined && this.#block) this.#block.isMarked = true;
    if (tag === 'a' && 'auto' in attributes) this.#links += 1;
    if (tag !== 'p' && BLOCKS.has(tag)) this.#endMarks();
  }

  close(tag: string): void {
    if (tag === 'a') this.#links = Math.max(0, this.#links - 1);
    if (BLOCKS.has(tag)) this.#endBlock();
  }

  text(text: string, line: number): void {
    const block = this.#block;
    if (!block) return;
    if (text === '\n') {
      this.#endLine();
      this.#line.at = line;
    } else {
      if (this.#line.text === '') this.#line.at = line;
      this.#line.text += text;
    }
    if (this.#links > 0) return;
    block.text += text;
    this.#count(block, text);
  }

  end(): void {
    this.#endBlock();
    this.#endMarks();
    if (this.#letters < MIN_LETTERS.text) return;
    const isWrong = this.#own * 2 < this.#letters || (this.#isJapanese && this.#kana * 20 < this.#own);
    const [first] = this.#foreign;
    if (isWrong) this.#report('language', 'must', first ?? { line: 1, text: '' });
    // A passage in another language needs a `lang` attribute, so that screen readers pronounce it correctly.
    else for (const block of this.#foreign) if (!block.isMarked) this.#report('language', 'should', block);
  }

  #count(block: Block, text: string): void {
    for (const letter of text) {
      if (!/^\p{L}/u.test(letter)) continue;
      const script = SCRIPTS.find(([, of]) => of.test(letter))?.[0] ?? 'other';
      const isOwn = this.#scripts.includes(script);
      block.letters += 1;
      this.#letters += 1;
      if (script === 'Kana') this.#kana += 1;
      if (!isOwn) continue;
      block.own += 1;
      this.#own += 1;
    }
  }

  #endBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    this.#endLine();
    if (DASH.test(this.#line.from.text.trimStart())) this.#endMarks();
    if (!block) return;
    if (block.letters >= MIN_LETTERS.block && block.own * 5 < block.letters) this.#foreign.push(block);
    else if (block.letters > 0 && block.own * 2 < block.letters && this.#foreign.length === 0 && this.#letters < 400)
      this.#foreign.push({ ...block, isMarked: true }); // position to report if the whole text is in another script
    const capitals = firstCapitalRun(block.text);
    if (capitals) this.#report('all-caps', 'should', { line: block.line, text: capitals });
  }

  /** Two consecutive lines with list markers make a hand-made list. */
  #endLine(): void {
    const { text, at } = this.#line;
    this.#line.text = '';
    if (text.trim() === '') return;
    if (!HAND_MADE.test(text.trimStart())) return this.#endMarks();
    if (this.#line.marks === 0) this.#line.from = { line: at, text };
    this.#line.marks += 1;
    if (this.#line.marks < 2 || this.#isReported) return;
    this.#isReported = true;
    this.#report('list-marks', 'must', this.#line.from);
  }

  #endMarks(): void {
    this.#line.marks = 0;
    this.#isReported = false;
  }
}

/** Returns the first run of capitalised words over the limit. Scripts without capitals have none. */
function firstCapitalRun(text: string): string | undefined {
  let run: string[] = [];
  const isLong = () => run.length >= CAPITALS.words && run.join('').length >= CAPITALS.letters;
  for (const word of text.split(/\s+/)) {
    const letters = word.replace(/[^\p{L}]+/gu, '');
    if (letters === '' && run.length > 0) continue;
    if (letters.length > 1 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()) run.push(word);
    else if (letters.length === 1 && run.length > 0 && letters === letters.toUpperCase()) continue;
    else if (isLong()) break;
    else run = [];
  }
  return isLong() ? run.join(' ') : undefined;
}
