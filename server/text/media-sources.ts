import { createHash } from 'node:crypto';
import type { BlockUse } from './blocks/block-rule.ts';
import { BLOCK_OPEN } from './blocks/block-rule.ts';
import { FILE_ATTRIBUTES } from './blocks/media-blocks.ts';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { parseMarkdown } from './markdown.ts';

const MEDIA: ReadonlySet<string> = new Set(['video', 'audio', 'file']);

/** A recording or document in a text: its attributes, and the files they name as written. */
export type MediaUse = {
  name: string;
  label: string;
  attributes: Readonly<Record<string, string>>;
  sources: string[];
  line: number;
};

const MAX_CACHED = 500;
/** Uses by digest of the text, the oldest first: several checks of a piece read the same texts. */
const known = new Map<string, readonly MediaUse[]>();

/** Finds the media blocks of a text. */
export function findMedia(markdown: string): readonly MediaUse[] {
  if (!/::(?:video|audio|file)/.test(markdown)) return [];
  const digest = createHash('sha256').update(markdown).digest('base64');
  const before = known.get(digest);
  if (before) return before;
  const found = readMedia(markdown);
  known.set(digest, found);
  for (const [oldest] of known) {
    if (known.size <= MAX_CACHED) break;
    known.delete(oldest);
  }
  return found;
}

function readMedia(markdown: string): MediaUse[] {
  return parseMarkdown(markdown, { blocks: LESSON_BLOCKS }).flatMap((token): MediaUse[] => {
    if (token.type !== BLOCK_OPEN) return [];
    const { name, label, attributes } = token.meta as BlockUse; // what block-rule.ts stores
    if (!MEDIA.has(name)) return [];
    const sources = FILE_ATTRIBUTES.flatMap((attribute) => attributes[attribute] ?? []);
    return [{ name, label, attributes, sources, line: (token.map?.[0] ?? 0) + 1 }];
  });
}
