import type { BlockSet } from './block.ts';
import { audio, file, video } from './media-blocks.ts';
import { accordion, callout, column, columns, steps, tab, tabs } from './layout-blocks.ts';

/** The blocks of microcourses and articles. */
export const PAGE_BLOCKS: BlockSet = new Map(
  Object.entries({ accordion, callout, column, columns, steps, tab, tabs, video, audio, file }),
);
