import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';

const LEVEL = /^h([1-6])$/;
/** Longer text is not a real heading. */
const MAX_HEADING = 150;

type Open = { level: number; line: number; text: string };
type Paragraph = { line: number; text: string; bold: string; images: number };

/** Checks that headings skip no level and have text, and that headings and emphasis are not confused. */
export class HeadingChecks implements Check {
  readonly #report: Report;
  /** The level of the current section; the page title is level 1. */
  #level = 1;
  #heading: Open | undefined;
  /** The last heading, while no content follows it. */
  #bare: Open | undefined;
  #paragraph: Paragraph | undefined;
  #depth = 0;
  #strong = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  open({ tag, attributes, line }: Element): void {
    const level = LEVEL.exec(tag)?.[1];
    if (level !== undefined) return this.#begin(Number(level), line);
    if (tag === 'img') {
      this.#bare = undefined;
      if (this.#heading) this.#heading.text += attributes['alt'] ?? '';
      if (this.#paragraph) this.#paragraph.images += 1;
    } else if (tag === 'strong' || tag === 'b') this.#strong += 1;
    else if (tag === 'ul' || tag === 'ol' || tag === 'table' || tag === 'blockquote') this.#depth += 1;
    else if (tag === 'p' && this.#depth === 0) this.#paragraph = { line, text: '', bold: '', images: 0 };
    else if (tag === 'code') this.#add('code', line);
  }

  close(tag: string): void {
    if (LEVEL.test(tag)) return this.#end();
    if (tag === 'strong' || tag === 'b') this.#strong = Math.max(0, this.#strong - 1);
    else if (tag === 'ul' || tag === 'ol' || tag === 'table' || tag === 'blockquote')
      this.#depth = Math.max(0, this.#depth - 1);
    else if (tag === 'p') this.#endParagraph();
  }

  text(text: string, line: number): void {
    this.#add(text, line);
  }

  end(): void {
    if (this.#bare) this.#report('heading-emphasis', 'should', this.#bare);
  }

  #add(text: string, _line: number): void {
    if (this.#heading) {
      this.#heading.text += text;
      return;
    }
    if (text.trim() !== '') this.#bare = undefined;
    if (!this.#paragraph) return;
    this.#paragraph.text += text;
    if (this.#strong > 0) this.#paragraph.bold += text;
  }

  #begin(level: number, line: number): void {
    // A heading directly followed by one of the same or a higher level is used for its looks.
    if (this.#bare && level <= this.#bare.level) this.#report('heading-emphasis', 'should', this.#bare);
    this.#heading = { level, line, text: '' };
  }

  #end(): void {
    const heading = this.#heading;
    this.#heading = undefined;
    if (!heading) return;
    const text = heading.text.trim();
    if (text === '')
      return this.#report('heading-empty', 'must', { line: heading.line, text: '#'.repeat(heading.level) });
    if (heading.level > this.#level + 1) this.#report('heading-order', 'must', heading);
    if (text.length > MAX_HEADING || /[^.].*[^.\p{Lu}][.。]$/su.test(text.slice(0, 2 * MAX_HEADING)))
      this.#report('heading-emphasis', 'should', heading);
    this.#level = heading.level;
    this.#bare = heading;
  }

  /** Reports a short, all-bold paragraph without final punctuation: it looks like a heading. */
  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = undefined;
    if (!paragraph || paragraph.images > 0) return;
    const text = paragraph.text.trim();
    if (text === '' || text.length > 80 || text !== paragraph.bold.trim() || /[.!?:;,。！？：、؟؛،…]$/.test(text))
      return;
    this.#report('bold-heading', 'should', paragraph);
  }
}
