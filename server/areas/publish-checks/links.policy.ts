import type { Locale } from '@officium/contract/common';
import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';
import { CAPTION_WORDS, EMPTY_LINK_WORDS } from './words.data.ts';

const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;
const RECORDING =
  /^https?:\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com\/(?:watch|embed|shorts)|youtu\.be\/|vimeo\.com\/|dailymotion\.com\/)|\/videos\/(?:watch|embed)\/|\.(?:mp4|webm|mov|m4v|mp3|m4a|ogg|oga|wav|flac)(?:[?#]|$)/i;
/** Elements whose text is searched for a mention of captions. */
const BLOCKS = new Set(['p', 'li', 'td', 'figure', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const MAX_BLOCK = 20_000;

type Link = { href: string; line: number; text: string; isAuto: boolean };
type At = { line: number; text: string };

/**
 * Checks that link texts describe their target, that equal texts have one target, and that recordings have captions.
 */
export class LinkChecks implements Check {
  readonly #report: Report;
  readonly #locale: Locale;
  readonly #targets = new Map<string, string>();
  #link: Link | undefined;
  #block = '';
  #recordings: At[] = [];

  constructor(report: Report, locale: Locale) {
    this.#report = report;
    this.#locale = locale;
  }

  open({ tag, attributes, line }: Element): void {
    if (BLOCKS.has(tag)) this.#endBlock();
    const source = attributes['src'] ?? attributes['href'] ?? '';
    if (tag === 'a') {
      this.#endLink();
      if (attributes['href'] !== undefined)
        this.#link = { href: attributes['href'], line, text: '', isAuto: 'auto' in attributes };
    } else if (tag === 'img' && this.#link) this.#link.text += attributes['alt'] ?? '';
    if (
      tag === 'video' ||
      tag === 'audio' ||
      ((tag === 'a' || tag === 'iframe') && RECORDING.test(source.slice(0, 2048)))
    )
      this.#recordings.push({ line, text: source });
  }

  close(tag: string): void {
    if (tag === 'a') this.#endLink();
    if (BLOCKS.has(tag)) this.#endBlock();
  }

  text(text: string): void {
    if (this.#link) this.#link.text += text;
    if (this.#block.length < MAX_BLOCK) this.#block += text;
  }

  end(): void {
    this.#endLink();
    this.#endBlock();
  }

  #endLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (!link) return;
    const { href, line, isAuto } = link;
    const text = link.text.trim();
    if (isAuto || ADDRESS.test(text.slice(0, 2048))) {
      if (!href.startsWith('mailto:')) this.#report('bare-address', 'should', { line, text });
      return;
    }
    const words = wordsOf(text);
    if (words === '' || EMPTY_LINK_WORDS.get(this.#locale)?.has(words) || EMPTY_LINK_WORDS.get('en')?.has(words))
      return this.#report('link-words', 'must', { line, text: text || href });
    const target = this.#targets.get(words);
    if (target === undefined) this.#targets.set(words, href);
    else if (target !== href) this.#report('link-repeated', 'should', { line, text });
  }

  #endBlock(): void {
    const [recordings, block] = [this.#recordings, this.#block.toLowerCase()];
    this.#recordings = [];
    this.#block = '';
    if (recordings.length === 0) return;
    const words = [...(CAPTION_WORDS.get(this.#locale) ?? []), ...(CAPTION_WORDS.get('en') ?? [])];
    if (words.some((word) => block.includes(word))) return;
    for (const at of recordings) this.#report('captions', 'should', at);
  }
}

/** Normalises words for comparison: lower case, letters and digits only. */
export const wordsOf = (text: string): string =>
  text
    .slice(0, 2048)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
