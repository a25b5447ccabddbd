import { expect, it } from 'vitest';
import { SCOPES } from '#server/access/can.ts';
import { changeOf, type AccessFacts, type AccessScopes } from './product-access.policy.ts';

const facts: AccessFacts = {
  allUsers: { others: 1000, servants: 200, administrators: 2 },
  insiders: { others: 30, servants: 5, administrators: 1 },
  isByInvitation: false,
  floor: null,
};
const both = (scope: AccessScopes['can_view']): AccessScopes => ({ can_view: scope, can_join: scope });

it('counts the accounts each scope admits; insiders and administrators always have access', () => {
  const counts = SCOPES.map((scope) => changeOf(facts, both('public'), both(scope)).view.after);
  expect(counts).toEqual([1202, 1202, 232, 37]);
});

it('counts viewing and joining separately', () => {
  const change = changeOf(facts, both('authenticated'), { can_view: 'authenticated', can_join: 'private' });
  expect(change).toMatchObject({ view: { before: 1202, after: 1202 }, join: { before: 1202, after: 37 } });
});

it('reports when a product becomes public or stops being public', () => {
  expect(changeOf(facts, both('private'), both('public'))).toMatchObject({ becomesPublic: true, endsPublic: false });
  expect(changeOf(facts, both('public'), both('verified'))).toMatchObject({ becomesPublic: false, endsPublic: true });
  expect(changeOf(facts, both('public'), both('public'))).toMatchObject({ becomesPublic: false, endsPublic: false });
});

it('applies the stricter scopes of course and journey, and restrictions of the content', () => {
  expect(changeOf({ ...facts, floor: both('verified') }, both('private'), both('public'))).toMatchObject({
    view: { before: 37, after: 232 },
    becomesPublic: false,
  });
  expect(changeOf({ ...facts, isByInvitation: true }, both('private'), both('public'))).toMatchObject({
    view: { before: 37, after: 37 },
    becomesPublic: false,
  });
});
