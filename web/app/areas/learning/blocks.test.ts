import type { LinkedItem } from '@officium/contract/editorials';
import { expect, it } from 'vitest';
import { askedOf, blocksOf } from './blocks.ts';

const item = (kind: LinkedItem['kind'], title: string): LinkedItem => ({
  kind,
  path: kind === 'carousel' ? null : `/${title}`,
  title,
  summary: '',
  shownLocale: 'en',
  minutes: null,
  cover: null,
  html: kind === 'question' ? '<p>Yes.</p>' : null,
  bodyLocale: null,
  items: [],
});

it('what stands side by side and is of one kind is one block; carousels stand alone', () => {
  const items = [
    ...(['a', 'b'] as const).map((title) => item('course', title)),
    item('carousel', 'c'),
    item('carousel', 'd'),
    item('course', 'e'),
  ];
  const titles = blocksOf(items).map(({ kind, items: own }) => `${kind} ${own.map(({ title }) => title).join('')}`);
  expect(titles).toEqual(['course ab', 'carousel c', 'carousel d', 'course e']);
});

it('questions among the links are those with a page', () => {
  expect(askedOf([item('question', 'q'), item('course', 'c')]).map(({ path }) => path)).toEqual(['/q']);
});
