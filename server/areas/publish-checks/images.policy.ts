import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';

const FILE_NAME = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|heic)$/i;
/** File names that cameras, phones and programs generate. */
const NUMBERED = /^(?:img|dsc|dscn|image|picture|photo|screenshot|untitled|scan)[ _-]*\d*$/i;
/** Shorter alternative texts are not checked for repetition. */
const MIN_REPEATED = 12;
const MAX_COMPARED = 300;

type Waiting = { line: number; alt: string; compared: string; after: string };

/** Checks that images have an alternative text and that the text after them does not repeat it. */
export class ImageChecks implements Check {
  readonly #report: Report;
  #waiting: Waiting | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  open({ tag, attributes, line, isMarkdown }: Element): void {
    if (tag !== 'img') return;
    const { alt, src = '' } = attributes;
    this.#compare();
    // In HTML, an empty `alt` deliberately marks a decorative image.
    if (alt === '' && !isMarkdown) return;
    if (alt === undefined || alt.trim() === '') return this.#report('image-alt', 'must', { line, text: src });
    if (isFileName(alt.trim(), src)) return this.#report('image-alt', 'must', { line, text: alt });
    const compared = plain(alt.slice(0, MAX_COMPARED));
    if (compared.length >= MIN_REPEATED) this.#waiting = { line, alt, compared, after: '' };
  }

  text(text: string): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    waiting.after += text.slice(0, MAX_COMPARED);
    if (waiting.after.length > 2 * MAX_COMPARED) this.#compare();
  }

  end(): void {
    this.#compare();
  }

  #compare(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting && plain(waiting.after).startsWith(waiting.compared))
      this.#report('image-repeated', 'should', { line: waiting.line, text: waiting.alt });
  }
}

function isFileName(alt: string, src: string): boolean {
  if (FILE_NAME.test(alt) || NUMBERED.test(alt)) return true;
  const name = src.split(/[?#]/, 1)[0]?.split('/').at(-1)?.replace(FILE_NAME, '') ?? '';
  return /[-_\d]/.test(name) && alt.toLowerCase() === name.toLowerCase();
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
