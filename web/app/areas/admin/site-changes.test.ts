import { SiteIdentity } from '@officium/contract/site';
import { expect, it } from 'vitest';
import { changesBetween } from './site-changes.ts';

const identity = (given: object) => SiteIdentity.parse(given);

it('lists what a version changed, texts for each language', () => {
  const before = identity({ name: 'Old', note: { en: 'Learn.', de: 'Lernen.' }, contact: 'help@example.gov' });
  const after = identity({ name: 'New', note: { en: 'Learn!', de: 'Lernen.' }, languages: ['fr', 'de'] });
  expect(changesBetween(before, after)).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'note', locale: 'en', before: 'Learn.', after: 'Learn!' },
    { field: 'contact', before: 'help@example.gov', after: '' },
    { field: 'languages', before: '', after: 'fr, de' },
  ]);
});

it('lists what the first version set, and nothing for equal ones', () => {
  const first = identity({ links: [{ label: { en: 'Help' }, url: '/help' }] });
  expect(changesBetween(undefined, first)).toEqual([{ field: 'links', before: '', after: 'Help /help' }]);
  expect(changesBetween(first, first)).toEqual([]);
});

it('shows a changed design of certificates in one line', () => {
  const certificate = {
    layout: 'frame',
    colour: '#8a1c1c',
    signatures: [{ name: 'Amina', office: { en: 'Director' } }],
  };
  expect(changesBetween(identity({}), identity({ certificate }))).toEqual([
    { field: 'certificate', before: '', after: 'frame, #8a1c1c, Amina / Director' },
  ]);
});
