import { expect, it } from 'vitest';
import { scopesFor } from './audience.act.ts';

it.each([
  ['public', { can_view: 'private', can_join: 'private' }, { can_view: 'public', can_join: 'authenticated' }],
  ['verified', { can_view: 'private', can_join: 'private' }, { can_view: 'verified', can_join: 'verified' }],
  ['private', { can_view: 'public', can_join: 'authenticated' }, { can_view: 'private', can_join: 'private' }],
  ['public', { can_view: 'authenticated', can_join: 'private' }, { can_view: 'public', can_join: 'private' }],
  ['verified', { can_view: 'public', can_join: 'private' }, { can_view: 'verified', can_join: 'private' }],
] as const)('opening to %s from %o gives %o', (view, before, after) => {
  expect(scopesFor(view, before)).toEqual(after);
});
