import { describe, expect, it } from 'vitest';
import { addressesIn, bookOf, testAddress, valuesAbout, valuesAbove, warningsOf } from './approval-review.policy.ts';
import { matchRule, type AutoApprovalRule } from './auto-approval.policy.ts';

const rule = (type: AutoApprovalRule['type'], value: string): AutoApprovalRule => ({
  id: `${type}:${value}`,
  type,
  value,
});
const kindsOf = (given: AutoApprovalRule, others: AutoApprovalRule[] = []) =>
  warningsOf(given, bookOf([given, ...others])).map(({ kind, by }) => (by ? `${kind} ${by.id}` : kind));

describe('warningsOf', () => {
  it.each([
    ['domain', 'agency.gov', []],
    ['partialDomain', 'agency.gov', []],
    ['email', 'ana@agency.gov', []],
    ['partialDomain', 'com', ['public_suffix']],
    ['partialDomain', 'gov', ['public_suffix']],
    ['partialDomain', 'co.uk', ['public_suffix']],
    ['partialDomain', 'gov.uk', ['public_suffix']],
    ['partialDomain', 'xn--p1ai', ['public_suffix']],
    ['partialDomain', 'github.io', ['public_suffix']],
    ['domain', 'gov', ['matches_nobody']],
    ['domain', 'gmail.com', ['free_mail']],
    ['partialDomain', 'gmail.com', ['free_mail']],
    ['email', 'ana@gmail.com', []],
    ['domain', 'agency.gvo', ['unknown_suffix']],
    ['domain', '*.agency.gov', ['malformed']],
    ['email', 'agency.gov', ['malformed']],
    ['partialDomain', 'gov/ü', ['malformed']],
  ] as const)('%s %s: %j', (type, value, kinds) => {
    expect(kindsOf(rule(type, value))).toEqual(kinds);
  });

  it('finds the rule that makes another redundant, and no lookalike', () => {
    const [part, whole, one] = [
      rule('partialDomain', 'agency.gov'),
      rule('domain', 'agency.gov'),
      rule('email', 'ana@agency.gov'),
    ];
    expect(kindsOf(one, [whole])).toEqual(['shadowed domain:agency.gov']);
    expect(kindsOf(whole, [part, one])).toEqual(['shadowed partialDomain:agency.gov']);
    expect(kindsOf(part, [whole, one])).toEqual([]);
    expect(kindsOf(rule('partialDomain', 'x.agency.gov'), [part])).toEqual(['shadowed partialDomain:agency.gov']);
    expect(kindsOf(rule('domain', 'x.agency.gov'), [whole])).toEqual([]);
    expect(kindsOf(rule('domain', '2agency.gov'), [part])).toEqual([]);
  });

  it('calls a rule shadowed exactly if removing it approves the same addresses', () => {
    const rules = [
      rule('partialDomain', 'gov.uk'),
      rule('partialDomain', 'health.gov.uk'),
      rule('domain', 'health.gov.uk'),
      rule('domain', 'city.example.org'),
      rule('email', 'bo@city.example.org'),
      rule('email', 'cy@example.org'),
    ];
    const people = ['a@gov.uk', 'a@b.gov.uk', 'a@health.gov.uk', 'a@b.health.gov.uk', 'a@city.example.org'];
    const all = [...people, 'bo@city.example.org', 'cy@example.org', 'a@example.org'];
    const book = bookOf(rules);
    for (const each of rules) {
      const rest = rules.filter((other) => other !== each);
      const isRedundant = all.every((email) => Boolean(matchRule(email, rules)) === Boolean(matchRule(email, rest)));
      const isShadowed = warningsOf(each, book).some(({ kind }) => kind === 'shadowed');
      expect([each.id, isShadowed]).toEqual([each.id, isRedundant]);
    }
  });

  it('valuesAbove returns the parent domains of a value', () => {
    expect(valuesAbove({ value: 'ana@b.c.gov' })).toEqual(['b.c.gov', 'c.gov', 'gov']);
  });
});

describe('testAddress', () => {
  const rules = [
    rule('email', 'ana@agency.gov'),
    rule('domain', 'agency.gov'),
    rule('partialDomain', 'agency.gov'),
    rule('domain', 'census.gov'),
  ];
  const book = bookOf(rules);

  it('returns the rule that approves an address and those it shadows', () => {
    const tested = testAddress('Ana@Agency.GOV', book);
    expect(tested).toMatchObject({ outcome: 'approved', rule: { id: 'email:ana@agency.gov' } });
    expect(tested.shadowed.map(({ id }) => id)).toEqual(['domain:agency.gov', 'partialDomain:agency.gov']);
    expect(tested.rule).toEqual(matchRule('ana@agency.gov', rules));
  });

  it.each([
    ['a@2020census.gov', [['domain:census.gov', 'label_boundary']]],
    ['a@sub.census.gov', [['domain:census.gov', 'exact_domain']]],
    ['a@census.gov.example.org', []],
    ['a@other.org', []],
  ])('explains why %s is not approved', (email, near) => {
    const tested = testAddress(email, book);
    expect(tested).toMatchObject({ outcome: 'no_rule', rule: null });
    expect(tested.near.map(({ rule: { id }, why }) => [id, why])).toEqual(near);
    expect(matchRule(email, rules)).toBeUndefined();
  });

  it.each(['nobody', 'a@b', 'a b@agency.gov', '@agency.gov', 'ana@agency.gov.'])('calls %s malformed', (email) => {
    expect(testAddress(email, book).outcome).toBe('malformed');
  });

  it('valuesAbout returns every suffix of the domain, by characters', () => {
    expect(valuesAbout('A@b.cd')).toEqual(['a@b.cd', 'b.cd', '.cd', 'cd', 'd']);
  });

  it('valuesAbout returns nothing for an invalid address of any length', () => {
    expect(valuesAbout('a'.repeat(12_000))).toEqual([]);
    expect(valuesAbout(`a@${'b.'.repeat(6_000)}cd`)).toEqual([]);
  });
});

it('addressesIn reads pasted addresses without duplicates', () => {
  expect(addressesIn('a@x.gov, b@x.gov;c@x.gov\n\n Ana Lima <d@x.gov>; "Bo, X" <e@x.gov>\ta@x.gov')).toEqual([
    'a@x.gov',
    'b@x.gov',
    'c@x.gov',
    'd@x.gov',
    '"Bo',
    'e@x.gov',
  ]);
  expect(addressesIn('Ana <a@x.gov> <b@x.gov> and < no end')).toEqual(['a@x.gov', 'b@x.gov', 'and', '<', 'no', 'end']);
});
