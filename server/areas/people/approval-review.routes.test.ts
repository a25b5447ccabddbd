import { checkAutoApproval, reviewAutoApprovals, testAutoApprovals } from '@officium/contract/approval-review';
import { createAutoApproval } from '@officium/contract/people';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { approvingRule } from './auto-approval.service.ts';

const test = await createTestApp();
const service = { serviceKey: SERVICE_KEY };
const admin = await makePerson(test, { role: 'administrator' });

const ids: Record<string, string> = {};
beforeAll(async () => {
  for (const [type, value] of [
    ['partialDomain', 'town.gov'],
    ['domain', 'roads.town.gov'],
    ['domain', 'census.gov'],
    ['email', 'bo@gmail.com'],
    ['partialDomain', 'co.uk'],
  ] as const)
    ids[value] = (await test.call(createAutoApproval, service, { body: { type, value } })).body.id;
});

const review = async (query: Record<string, unknown> = {}) => await test.call(reviewAutoApprovals, admin.as, { query });
const valuesOf = async (query: Record<string, unknown>) =>
  (await review(query)).body.rules.map(({ value }: { value: string }) => value);

describe('reviewAutoApprovals', () => {
  it('lists rules with their warnings', async () => {
    const { body } = await review();
    expect(reviewAutoApprovals.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({ total: 5, warned: 2 });
    const warnings = Object.fromEntries(body.rules.map((rule: any) => [rule.value, rule.warnings])); // any: an untyped reply
    expect(warnings).toMatchObject({
      'town.gov': [],
      'roads.town.gov': [{ kind: 'shadowed', by: { id: ids['town.gov'] } }],
      'co.uk': [{ kind: 'public_suffix', by: null }],
    });
  });

  it('filters, sorts and pages rules', async () => {
    expect(await valuesOf({ warned: true })).toEqual(['co.uk', 'roads.town.gov']);
    expect(await valuesOf({ type: 'domain', sort: '-value' })).toEqual(['roads.town.gov', 'census.gov']);
    expect(await valuesOf({ match: 'TOWN' })).toEqual(['roads.town.gov', 'town.gov']);
    expect(await valuesOf({ sort: 'createdAt', limit: 1, offset: 1 })).toEqual(['roads.town.gov']);
    expect(await valuesOf({ sort: '-type', limit: 1 })).toEqual(['town.gov']);
    for (const query of [{ type: 'x' }, { sort: 'x' }, { limit: 0 }, { warned: 'maybe' }])
      expect((await review(query)).status).toBe(400);
  });
});

describe('checkAutoApproval', () => {
  const check = async (query: Record<string, unknown>) => await test.call(checkAutoApproval, admin.as, { query });

  it('warns about a rule before it exists', async () => {
    const { body } = await check({ type: 'domain', value: '@Water.Town.GOV' });
    expect(checkAutoApproval.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      value: 'water.town.gov',
      warnings: [{ kind: 'shadowed', by: { id: ids['town.gov'], type: 'partialDomain', value: 'town.gov' } }],
    });
    expect((await check({ type: 'partialDomain', value: '.gov' })).body.warnings).toMatchObject([
      { kind: 'public_suffix' },
    ]);
    expect((await check({ type: 'partialDomain', value: 'x.town.gov', id: ids['town.gov'] })).body.warnings).toEqual(
      [],
    );
    expect((await check({ type: 'domain', value: '' })).status).toBe(400);
  });
});

describe('testAutoApprovals', () => {
  const ask = async (emails: unknown) => await test.call(testAutoApprovals, admin.as, { body: { emails } });

  it('returns the rule that approves each address, or why none does', async () => {
    const emails = ['a@x.town.gov', 'A@roads.town.gov', 'a@2020census.gov', 'a@x.census.gov', 'nobody', 'bo@gmail.com'];
    const { body } = await ask(emails.join('\n'));
    expect(testAutoApprovals.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      left: 0,
      results: [
        { email: 'a@x.town.gov', outcome: 'approved', rule: { value: 'town.gov' } },
        { outcome: 'approved', rule: { value: 'roads.town.gov' }, shadowed: [{ value: 'town.gov' }] },
        { outcome: 'no_rule', near: [{ rule: { value: 'census.gov' }, why: 'label_boundary' }] },
        { outcome: 'no_rule', near: [{ why: 'exact_domain' }] },
        { email: 'nobody', outcome: 'malformed' },
        { outcome: 'approved', rule: { type: 'email' } },
      ],
    });
    for (const { email, rule } of body.results)
      expect(await approvingRule(test.ctx.db, email).then((found) => found?.id)).toBe(rule?.id);
  });

  it('tests up to the maximum and returns the number left out', async () => {
    const { body } = await ask(Array.from({ length: 203 }, (_, nth) => `p${nth}@town.gov`).join(' '));
    expect([body.results.length, body.left]).toEqual([200, 3]);
    for (const emails of [undefined, '', 'x'.repeat(12_001)]) expect((await ask(emails)).status).toBe(400);
  });
});
