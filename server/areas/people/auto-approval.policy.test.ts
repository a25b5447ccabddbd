import { describe, expect, it } from 'vitest';
import { domainsOf, matchRule, type AutoApprovalRule } from './auto-approval.policy.ts';

const rule = (type: AutoApprovalRule['type'], value: string): AutoApprovalRule => ({
  id: `${type}:${value}`,
  type,
  value,
});

describe('matchRule', () => {
  it('compares domains label by label', () => {
    const rules = [rule('partialDomain', 'census.gov')];
    expect(matchRule('ana@census.gov', rules)).toBeDefined();
    expect(matchRule('ana@sub.census.gov', rules)).toBeDefined();
    expect(matchRule('ana@deep.sub.census.gov', rules)).toBeDefined();
    expect(matchRule('ana@2020census.gov', rules)).toBeUndefined();
    expect(matchRule('ana@my2020census.gov', rules)).toBeUndefined();
    expect(matchRule('ana@census.gov.evil.example', rules)).toBeUndefined();
  });

  it('takes a domain rule for that domain only', () => {
    const rules = [rule('domain', 'cftc.gov')];
    expect(matchRule('bo@cftc.gov', rules)).toBeDefined();
    expect(matchRule('bo@sub.cftc.gov', rules)).toBeUndefined();
    expect(matchRule('bo@devcftc.gov', rules)).toBeUndefined();
  });

  it('prefers the address, then the domain, then the longest part', () => {
    const rules = [
      rule('partialDomain', 'gov'),
      rule('partialDomain', 'agency.gov'),
      rule('domain', 'agency.gov'),
      rule('email', 'ana@agency.gov'),
    ];
    expect(matchRule('ana@agency.gov', rules)?.id).toBe('email:ana@agency.gov');
    expect(matchRule('bo@agency.gov', rules)?.id).toBe('domain:agency.gov');
    expect(matchRule('bo@x.agency.gov', rules)?.id).toBe('partialDomain:agency.gov');
    expect(matchRule('bo@other.gov', rules)?.id).toBe('partialDomain:gov');
  });

  it('ignores case on both sides', () => {
    expect(matchRule('ANA@Agency.GOV', [rule('domain', 'AGENCY.gov')])).toBeDefined();
    expect(matchRule('ana@agency.gov', [rule('email', 'Ana@Agency.gov')])).toBeDefined();
  });

  it('does not take an address rule for a domain', () => {
    expect(matchRule('ana@agency.gov', [rule('email', 'agency.gov')])).toBeUndefined();
  });
});

it('domainsOf goes up from the domain of the address', () => {
  expect(domainsOf('a@b.c.gov')).toEqual(['b.c.gov', 'c.gov', 'gov']);
});
