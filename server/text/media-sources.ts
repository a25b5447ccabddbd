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

/** Finds the media blocks of a text. */
export function findMedia(markdown: string): MediaUse[] {
  if (!markdown.includes('::')) return [];
  return parseMarkdown(markdown, { blocks: LESSON_BLOCKS }).flatMap((token): MediaUse[] => {
    if (token.type !== BLOCK_OPEN) return [];
    const { name, label, attributes } = token.meta as BlockUse; // what block-rule.ts stores
    if (!MEDIA.has(name)) return [];
    const sources = FILE_ATTRIBUTES.flatMap((attribute) => attributes[attribute] ?? []);
    return [{ name, label, attributes, sources, line: (token.map?.[0] ?? 0) + 1 }];
  });
}
