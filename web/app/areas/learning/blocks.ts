import type { LinkedCard, LinkedItem } from '@officium/contract/editorials';
import type { Asked } from './faq.tsx';

export type Block = { id: string; kind: LinkedCard['kind']; items: LinkedItem[] };

/** Neighbours of one kind form one block; each carousel and picture is its own block. */
export function blocksOf(items: readonly LinkedItem[]): Block[] {
  const blocks: Block[] = [];
  for (const item of items) {
    const last = blocks.at(-1);
    const isAlone = item.kind === 'carousel' || item.kind === 'picture';
    if (last?.kind === item.kind && !isAlone) last.items.push(item);
    else blocks.push({ id: `part-${blocks.length + 1}`, kind: item.kind, items: [item] });
  }
  return blocks;
}

/** Those of the cards that are questions with an answer. */
export function askedOf(cards: readonly LinkedCard[]): Asked[] {
  return cards.flatMap(({ path, title, shownLocale, html, bodyLocale, kind }) =>
    kind === 'question' && path !== null ? [{ path, title, shownLocale, html, bodyLocale }] : [],
  );
}
