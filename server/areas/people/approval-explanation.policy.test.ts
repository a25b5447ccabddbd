import { describe, expect, it } from 'vitest';
import { explain, lookupFor } from './approval-explanation.policy.ts';
import { matchRule, type AutoApprovalRule } from './auto-approval.policy.ts';

const rule = (type: AutoApprovalRule['type'], value: string): AutoApprovalRule => ({
  id: `${type}:${value}`,
  type,
  value,
});
const waiting = (email: string, given: object = {}) => ({
  email,
  role: 'non-public-servant',
  registration_status: 'pending',
  email_proven_at: new Date(),
  ...given,
});
const nearOf = (email: string, rules: AutoApprovalRule[]) =>
  explain(waiting(email), rules, true).near.map((one) => `${one.why} ${one.rule.id}`);

describe('the nearest rules', () => {
  it.each([
    // A domain rule.
    ['ana@tax.agency.gov', rule('domain', 'agency.gov'), 'exact_domain'],
    ['ana@agency.gov', rule('domain', 'tax.agency.gov'), 'other_domain'],
    ['ana@roads.agency.gov', rule('domain', 'tax.agency.gov'), 'other_domain'],
    ['ana@myagency.gov', rule('domain', 'agency.gov'), 'label_boundary'],
    ['ana@agency.gov', rule('domain', 'bureau.gov'), undefined],
    // A rule for a domain and its subdomains.
    ['ana@agency.gov', rule('partialDomain', 'tax.agency.gov'), 'other_domain'],
    ['ana@myagency.gov', rule('partialDomain', 'agency.gov'), 'label_boundary'],
    ['ana@agency.org', rule('partialDomain', 'agency.gov'), undefined],
    // A rule for one address.
    ['ana@agency.gov', rule('email', 'bo@agency.gov'), 'other_address'],
    ['ana@agency.gov', rule('email', 'ana@tax.agency.gov'), 'other_domain'],
    ['ana@agency.gov', rule('email', 'ana@bureau.gov'), undefined],
    // Organisations below a public suffix are different ones.
    ['ana@health.gov.uk', rule('partialDomain', 'tax.gov.uk'), undefined],
  ] as const)('%s with the rule %o: %s', (email, one, why) => {
    expect(nearOf(email, [one])).toEqual(why === undefined ? [] : [`${why} ${one.id}`]);
    expect(explain(waiting(email), [one], true)).toMatchObject({ reason: 'no_rule', rule: null });
    expect(matchRule(email, [one])).toBeUndefined();
  });

  it('are in order, each once, and five at most', () => {
    const rules = [
      rule('partialDomain', 'gency.gov'),
      rule('email', 'ana@tax.agency.gov'),
      rule('email', 'bo@x.agency.gov'),
      rule('domain', 'agency.gov'),
    ];
    const order = [
      'exact_domain domain:agency.gov',
      'other_address email:bo@x.agency.gov',
      'other_domain email:ana@tax.agency.gov',
      'label_boundary partialDomain:gency.gov',
    ];
    expect(nearOf('ana@x.agency.gov', rules)).toEqual(order);
    expect(nearOf('ana@x.agency.gov', rules.toReversed())).toEqual(order);
    const many = Array.from({ length: 9 }, (_, n) => rule('email', `bo${n}@agency.gov`));
    expect(nearOf('ana@agency.gov', many)).toHaveLength(5);
  });

  it('are all among the rules looked up', () => {
    const { values, domain } = lookupFor('ana@x.agency.gov');
    expect(values).toEqual(expect.arrayContaining(['ana@x.agency.gov', 'x.agency.gov', 'agency.gov', 'gency.gov']));
    expect(domain).toBe('agency.gov');
    expect(lookupFor('ana@gov').domain).toBeNull();
  });
});

describe('the reason', () => {
  const matching = [rule('email', 'ana@agency.gov'), rule('domain', 'agency.gov'), rule('partialDomain', 'agency.gov')];
  const reasonOf = (given: object, rules: AutoApprovalRule[] = []) =>
    explain(waiting('ana@agency.gov', given), rules, rules.length > 0).reason;

  it.each(matching)('names the rule that matches now, of each type: %o', (one) => {
    expect(explain(waiting('ana@agency.gov'), [one], true)).toEqual({ reason: 'proven_before', rule: one, near: [] });
    const unproven = waiting('ana@agency.gov', { email_proven_at: null });
    expect(explain(unproven, [one], true)).toEqual({ reason: 'unproven', rule: one, near: [] });
  });

  it('is the first that holds', () => {
    expect(reasonOf({})).toBe('no_rules');
    expect(reasonOf({}, [rule('domain', 'bureau.gov')])).toBe('no_rule');
    expect(reasonOf({ email_proven_at: null })).toBe('unproven');
    expect(reasonOf({ registration_status: 'refused', email_proven_at: null }, matching)).toBe('refused');
    expect(reasonOf({ registration_status: 'approved', role: 'public-servant' }, matching)).toBe('approved');
    expect(reasonOf({ registration_status: null, role: 'administrator' })).toBe('approved');
    expect(reasonOf({ role: 'inactive' }, matching)).toBe('inactive');
  });
});
