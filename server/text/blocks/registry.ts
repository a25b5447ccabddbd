import type { BlockSet } from './block.ts';
import { embed } from './embed-block.ts';
import { accordion, callout, column, columns, reflect, steps, tab, tabs } from './layout-blocks.ts';
import { audio, file, video } from './media-blocks.ts';
import { quiz } from './quiz.ts';

/** The blocks of microcourses, articles and other pages. */
export const PAGE_BLOCKS: BlockSet = new Map(
  Object.entries({ accordion, callout, column, columns, reflect, steps, tab, tabs, video, audio, file, embed }),
);

/** The blocks of lessons. */
export const LESSON_BLOCKS: BlockSet = new Map([...PAGE_BLOCKS, ['quiz', quiz]]);
