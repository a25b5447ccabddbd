import type { Piece } from '@officium/contract/authoring';
import { expect, it } from 'vitest';
import { docOfForm, toFieldIssues } from './piece-form.ts';

const doc: Piece['doc'] = {
  kind: 'hub',
  slug: 'start',
  title: { en: 'Start' },
  summary: {},
  humanTranslation: true,
  cover: null,
  coverAlt: {},
  items: ['courses/old'],
};

it('links are the paths that were pasted, one a line', () => {
  const fields = new FormData();
  fields.set('locales', 'en');
  fields.set('slug', 'start');
  fields.set('title_en', 'Start');
  fields.set('items', 'https://learn.example.gov/courses/plain?lang=fr#top\r\n\r\n  /hubs/other/  \nquestions/why');
  expect(docOfForm(fields, { doc, sourceLocale: 'en' })).toMatchObject({
    items: ['courses/plain', 'hubs/other', 'questions/why'],
  });
});

it('links that the form did not show stay as they are', () => {
  const fields = new FormData();
  fields.set('slug', 'start');
  expect(docOfForm(fields, { doc, sourceLocale: 'en' })).toMatchObject({
    items: ['courses/old'],
    title: { en: 'Start' },
  });
});

it('parts of a solution article are texts by language', () => {
  const fields = new FormData();
  fields.set('locales', 'en fr');
  fields.set('slug', 'letter');
  fields.set('title_en', 'A letter');
  fields.set('problem_en', ' Calls.\r\n\r\n- Many ');
  fields.set('problem_fr', '');
  const texts = { summary: {}, problem: { fr: 'Appels' }, tried: {}, result: {}, cost: {}, transfer: {}, evidence: {} };
  const piece = { sourceLocale: 'en' as const, doc: { ...doc, kind: 'solution' as const, ...texts } };
  expect(docOfForm(fields, piece)).toMatchObject({ kind: 'solution', problem: { en: 'Calls.\n\n- Many' } });
  expect(docOfForm(fields, piece)).not.toHaveProperty('problem.fr');
});

it('a dead link is said at the field', () => {
  expect(toFieldIssues([{ path: 'doc.items.3', message: 'Nothing has the address x' }], 'en')).toEqual([
    { path: 'items', message: 'Nothing has the address x' },
  ]);
});
