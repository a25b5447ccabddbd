import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';
import { domainsOf, matchRule, normalValue, type AutoApprovalRule } from './auto-approval.policy.ts';

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

  it('matches a domain rule only for that exact domain', () => {
    const rules = [rule('domain', 'cftc.gov')];
    expect(matchRule('bo@cftc.gov', rules)).toBeDefined();
    expect(matchRule('bo@sub.cftc.gov', rules)).toBeUndefined();
    expect(matchRule('bo@devcftc.gov', rules)).toBeUndefined();
  });

  it('prefers the address, then the domain, then the longest partial domain', () => {
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

  it('ignores the case of rule and address', () => {
    expect(matchRule('ANA@Agency.GOV', [rule('domain', 'AGENCY.gov')])).toBeDefined();
    expect(matchRule('ana@agency.gov', [rule('email', 'Ana@Agency.gov')])).toBeDefined();
  });

  it('does not treat an address rule as a domain rule', () => {
    expect(matchRule('ana@agency.gov', [rule('email', 'agency.gov')])).toBeUndefined();
  });
});

describe('normalValue', () => {
  it.each([
    ['domain', 'Agency.GOV', 'agency.gov'],
    ['domain', 'agency.gov.', 'agency.gov'],
    ['domain', '@agency.gov', 'agency.gov'],
    ['domain', '*.agency.gov', '*.agency.gov'],
    ['domain', 'Bücher.example', 'xn--bcher-kva.example'],
    ['domain', 'XN--bcher-KVA.example', 'xn--bcher-kva.example'],
    ['domain', 'gov/ü', 'gov/ü'],
    ['domain', '@', '@'],
    ['partialDomain', '.gov.uk', 'gov.uk'],
    ['partialDomain', '*.gov.uk.', 'gov.uk'],
    ['partialDomain', '0x7f.1', '0x7f.1'],
    ['email', 'Ana@Agency.GOV', 'ana@agency.gov'],
    ['email', 'Ana@Bücher.example.', 'ana@xn--bcher-kva.example'],
    ['email', '\u212Aim@agency.gov', '\u212Aim@agency.gov'],
  ] as const)('%s %s is %s', (type, value, normal) => {
    expect(normalValue(type, value)).toBe(normal);
    expect(normalValue(type, normal)).toBe(normal);
  });
});

it('lookalike letters and letters that lower to ASCII do not match', () => {
  expect(matchRule('kim@agency.gov', [rule('email', '\u212Aim@agency.gov')])).toBeUndefined();
  expect(matchRule('kim@agency.gov', [rule('domain', '\u0430gency.gov')])).toBeUndefined();
});

it('domainsOf returns the domain and its parents', () => {
  expect(domainsOf('a@b.c.gov')).toEqual(['b.c.gov', 'c.gov', 'gov']);
});

describe.runIf(hasSharedData)('among the real domains of a government', () => {
  it('each rule approves its own domain and no lookalike', async () => {
    const text = await readFile(join(SHARED_DATA, 'domains-dotgov/domains.csv'), 'utf8');
    const domains = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]!.toLowerCase()); // the first column is never quoted
    expect(domains.length).toBeGreaterThan(70);
    for (const domain of domains) {
      for (const type of ['domain', 'partialDomain'] as const) {
        const rules = [rule(type, normalValue(type, domain.toUpperCase()))];
        const approved = domains.filter((each) => matchRule(`a@${each}`, rules));
        const expected = domains.filter(
          (each) => each === domain || (type === 'partialDomain' && each.endsWith(`.${domain}`)),
        );
        expect(approved).toEqual(expected);
        expect(matchRule(`a@${domain}.example.com`, rules)).toBeUndefined();
        expect(matchRule(`a@x${domain}`, rules)).toBeUndefined();
      }
    }
  });
});
