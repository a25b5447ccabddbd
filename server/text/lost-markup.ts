import { DROPPED_WITH_CONTENT } from './allow-list.ts';
import { walkMarkdown } from './markdown-elements.ts';
import { LINKED_MEDIA } from './media-links.ts';

/** `media`: shown as a link; `left-out`: not shown at all. `what` is the element with its address. */
export type LostMarkup = { kind: 'media' | 'left-out'; what: string; line: number };

const LEFT_OUT = new Set([...DROPPED_WITH_CONTENT, 'form', 'input', 'button', 'select', 'dialog', 'map']);
/** Parts of another element in the list. */
const PARTS = new Set(['title', 'option', 'noscript', 'noframes', 'noembed']);
/** Markdown does not accept these addresses for a picture, so it stays plain text. */
const UNUSABLE_PICTURE = /!\[[^\]\n]{0,500}\]\(\s*<?((?:\/\/|data:|blob:|file:)[^\s>)]{0,200})/i;
const MAX_FOUND = 200;

/** Finds what a page shows differently from its source: recordings, embedded pages, forms and drawings. */
export function findLostMarkup(source: string): LostMarkup[] {
  const found: LostMarkup[] = [];
  const add = (kind: LostMarkup['kind'], what: string, line: number) => {
    if (found.length < MAX_FOUND) found.push({ kind, what, line });
  };
  let outer: { tag: string; depth: number } | undefined;
  walkMarkdown(source, {
    open({ tag, attributes, line, isMarkdown }) {
      if (isMarkdown) return;
      if (outer) {
        if (tag === outer.tag) outer.depth += 1;
        return;
      }
      const isMedia = LINKED_MEDIA.has(tag);
      if (!isMedia && (!LEFT_OUT.has(tag) || PARTS.has(tag))) return;
      const address = attributes['src'] ?? attributes['data'] ?? '';
      add(isMedia ? 'media' : 'left-out', address === '' ? tag : `${tag}: ${address.slice(0, 200)}`, line);
      if (tag !== 'embed' && tag !== 'input') outer = { tag, depth: 1 };
    },
    close(tag) {
      if (tag === outer?.tag && (outer.depth -= 1) === 0) outer = undefined;
    },
    text(text, line) {
      const picture = text.includes('![') ? UNUSABLE_PICTURE.exec(text)?.[1] : undefined;
      if (picture !== undefined) add('left-out', `image: ${picture}`, line);
    },
  });
  return found;
}
