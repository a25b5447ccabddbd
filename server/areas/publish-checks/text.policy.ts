import type { Locale } from '@officium/contract/common';
import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';

/** Bullets, dashes, numbers and letters with which lists are drawn by hand. */
const HAND_MADE = /^(?:[•·‣▪◦●○■□►▶➢➤✓✔–—−*-]|\p{Nd}{1,2}[.)]|\(\p{Nd}{1,2}\)|\p{Ll}\)|\(\p{Ll}\))\s/u;
/** Between blocks these begin what somebody says, or name who said it. */
const DASH = /^[–—−]/;
const BLOCKS = new Set(['p', 'li', 'td', 'th', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'blockquote']);
/** Shouted words in a row, and their letters, from which on it is not a name or an abbreviation. */
const SHOUTED = { words: 4, letters: 18 };

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
/** Fewer letters say nothing of a language: names, products and abbreviations are written as they are everywhere. */
const MIN_LETTERS = { text: 40, block: 80 };

type Block = { line: number; text: string; own: number; letters: number; isMarked: boolean };

/** Lists are lists, nobody is shouted at, and a text is in the language it says it is. */
export class TextChecks implements Check {
  readonly #report: Report;
  readonly #scripts: readonly Script[];
  readonly #isJapanese: boolean;
  readonly #foreign: Block[] = [];
  #block: Block | undefined;
  #line = { text: '', at: 1, marks: 0, from: { line: 1, text: '' } };
  #isTold = false;
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
    // In a text of its language a passage of another needs to be marked, so that it is spoken rightly.
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
      this.#foreign.push({ ...block, isMarked: true }); // a place to show, should the whole text be of another script
    const shouted = firstShout(block.text);
    if (shouted) this.#report('all-caps', 'should', { line: block.line, text: shouted });
  }

  /** Two lines in a row that begin as those of a list do are one. */
  #endLine(): void {
    const { text, at } = this.#line;
    this.#line.text = '';
    if (text.trim() === '') return;
    if (!HAND_MADE.test(text.trimStart())) return this.#endMarks();
    if (this.#line.marks === 0) this.#line.from = { line: at, text };
    this.#line.marks += 1;
    if (this.#line.marks < 2 || this.#isTold) return;
    this.#isTold = true;
    this.#report('list-marks', 'must', this.#line.from);
  }

  #endMarks(): void {
    this.#line.marks = 0;
    this.#isTold = false;
  }
}

/** Words all in capitals that follow one another, once they are too many; scripts without capitals have none. */
function firstShout(text: string): string | undefined {
  let run: string[] = [];
  const isLong = () => run.length >= SHOUTED.words && run.join('').length >= SHOUTED.letters;
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
