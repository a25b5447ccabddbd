import { confirmSignUp, createAccount } from '@officium/contract/auth';
import * as contract from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { type As, createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { lastMail, makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const service = { serviceKey: SERVICE_KEY };

const create = (body: unknown, as: As = service) => test.call(contract.createAutoApproval, as, { body });
const update = (id: string, body: unknown) => test.call(contract.updateAutoApproval, service, { params: { id }, body });

describe('createAutoApproval', () => {
  it('stores the value in lower case and returns the whole rule', async () => {
    const { status, body } = await create({ type: 'domain', value: '  Agency.GOV ' });
    expect(status).toBe(201);
    expect(contract.AutoApproval.strict().parse(body)).toMatchObject({ type: 'domain', value: 'agency.gov' });
  });

  it('creates one rule from many equal parallel requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ type: 'partialDomain', value: 'race.gov' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('people.rule_exists');
  });

  it.each([
    ['partialDomain', 'com'],
    ['partialDomain', '.DE'],
    ['partialDomain', 'xn--p1ai'],
  ])('refuses from a service the %s %s, where anybody can have an address', async (type, value) => {
    expect(await create({ type, value })).toMatchObject({
      status: 400,
      body: {
        issues: [{ path: 'value', message: 'Anybody can have an address there; only an administrator can approve it' }],
      },
    });
    const { body } = await create({ type: 'domain', value: 'narrow.gov' });
    expect((await update(body.id, { type, value })).status).toBe(400);
    await test.call(contract.deleteAutoApproval, service, { params: { id: body.id } });
    const admin = await makePerson(test, { role: 'administrator' });
    const made = await create({ type, value }, admin.as);
    expect(made.status).toBe(201);
    await test.call(contract.deleteAutoApproval, service, { params: { id: made.body.id } });
  });

  it.each(['gov', 'mil', 'gov.uk', 'bund.de'])('accepts from a service addresses below %s', async (value) => {
    const { status, body } = await create({ type: 'partialDomain', value });
    expect(status).toBe(201);
    await test.call(contract.deleteAutoApproval, service, { params: { id: body.id } });
  });

  it('accepts the same value with another type', async () => {
    expect((await create({ type: 'domain', value: 'twice.gov' })).status).toBe(201);
    expect((await create({ type: 'partialDomain', value: 'TWICE.gov' })).status).toBe(201);
  });

  it.each([
    [{}],
    [{ type: 'domain' }],
    [{ type: 'domain', value: '' }],
    [{ type: 'domain', value: '   ' }],
    [{ type: 'domain', value: 'x'.repeat(255) }],
    [{ type: 'domain', value: 'a\0b' }],
    [{ type: 'domain', value: 7 }],
    [{ type: 'domain', value: 'com' }],
    [{ type: 'domain', value: 'ana@agency.gov' }],
    [{ type: 'partialDomain', value: 'a b.gov' }],
    [{ type: 'email', value: 'agency.gov' }],
    [{ type: 'suffix', value: 'x.gov' }],
    [{ type: 'domain', value: 'x.gov', extra: 1 }],
    [[]],
  ])('refuses %j', async (body) => {
    expect((await create(body)).status).toBe(400);
  });

  it('says why a value can never match', async () => {
    const { body } = await create({ type: 'domain', value: 'com' });
    expect(body.issues).toEqual([
      {
        path: 'value',
        message: 'No address is directly at this domain. Write a whole domain, such as agency.gov',
      },
    ]);
    const made = await create({ type: 'domain', value: 'matched.gov' });
    const path = { params: { id: made.body.id } };
    const changed = await test.call(contract.updateAutoApproval, service, {
      ...path,
      body: { type: 'email', value: 'matched.gov' },
    });
    expect([changed.status, changed.body.message]).toEqual([
      400,
      'No account can have this address. Write a whole e-mail address, such as ana@agency.gov',
    ]);
  });

  it('approves users who prove a matching address afterwards', async () => {
    await create({ type: 'partialDomain', value: 'ministry.example' });
    const email = 'ana@roads.ministry.example';
    await test.call(createAccount, undefined, { body: { email, name: 'Ana' } });
    const { code } = await lastMail(test, email, 'sign_up_code');
    await test.call(confirmSignUp, undefined, { body: { email, code } });
    const { body } = await test.call(contract.listUserRecords, service, { query: { email } });
    expect(body.users[0].role).toBe('public-servant');
  });

  it('is allowed only to services and administrators', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    const body = { type: 'email', value: 'somebody@example.org' };
    expect((await test.call(contract.createAutoApproval, undefined, { body })).status).toBe(401);
    expect((await test.call(contract.createAutoApproval, maya.as, { body })).status).toBe(403);
    const made = await test.call(contract.createAutoApproval, admin.as, { body });
    expect(made.status).toBe(201);
    const logged = await test.ctx.db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('object', '=', made.body.id)
      .execute();
    expect(logged).toEqual([{ actor: admin.id, action: 'people.create-auto-approval' }]);
  });
});

/** Signs up, proves the address and returns the resulting role. */
async function roleOf(email: string): Promise<string> {
  await test.call(createAccount, undefined, { body: { email, name: 'Ana' } });
  const { code } = await lastMail(test, email.toLowerCase(), 'sign_up_code');
  await test.call(confirmSignUp, undefined, { body: { email, code } });
  const { body } = await test.call(contract.listUserRecords, service, { query: { email } });
  return body.users[0].role;
}

describe('an approval rule', () => {
  it.each([
    ['domain', 'cftc.gov', ['a@cftc.gov', 'B@CFTC.gov'], ['a@devcftc.gov', 'a@cftc.gov.example.com', 'a@sub.cftc.gov']],
    [
      'partialDomain',
      'CENSUS.gov',
      ['a@census.gov', 'a@sub.census.gov', 'a@A.B.Census.GOV'],
      ['a@2020census.gov', 'a@my2020census.gov', 'a@census.gov.example.com'],
    ],
    ['email', 'Only.One@edison.gov', ['only.one@edison.gov'], ['only.two@edison.gov', 'one@edison.gov']],
    ['domain', 'Bücher.example.', ['a@xn--bcher-kva.example'], ['a@bcher.example']],
    ['domain', 'example.com', ['a@example.com'], ['a@mail.example.com']],
    ['partialDomain', 'mil', ['a@navy.mil'], ['a@mil.example.org', 'a@notmil.example.org']],
  ])('of type %s with value %s approves only matching addresses', async (type, value, approved, others) => {
    expect((await create({ type, value })).status).toBe(201);
    for (const email of approved) expect([email, await roleOf(email)]).toEqual([email, 'public-servant']);
    for (const email of others) expect([email, await roleOf(email)]).toEqual([email, 'non-public-servant']);
  });

  it('is stored once for all spellings of its value', async () => {
    expect((await create({ type: 'domain', value: 'written.gov' })).status).toBe(201);
    for (const value of ['WRITTEN.gov', 'written.gov.', '@written.gov'])
      expect((await create({ type: 'domain', value })).body.code).toBe('people.rule_exists');
    const listed = await test.call(contract.listAutoApprovals, service, { query: { value: '@Written.gov.' } });
    expect(listed.body.autoApprovals).toMatchObject([{ value: 'written.gov' }]);
  });
});

describe('readAutoApproval and listAutoApprovals', () => {
  it('reads a rule; 404 for an unknown id', async () => {
    const { body } = await create({ type: 'domain', value: 'read.gov' });
    const read = await test.call(contract.readAutoApproval, service, { params: { id: body.id } });
    expect([read.status, read.body]).toEqual([200, body]);
    expect((await test.call(contract.readAutoApproval, service, { params: { id: newId() } })).status).toBe(404);
    expect((await test.call(contract.readAutoApproval, service, { params: { id: '1' } })).status).toBe(400);
  });

  it('filters by value and type and pages, oldest first', async () => {
    for (const [type, value] of [
      ['domain', 'list.gov'],
      ['partialDomain', 'list.gov'],
      ['email', 'a@list.gov'],
    ])
      await create({ type, value });
    const list = async (query: Record<string, unknown>) =>
      await test.call(contract.listAutoApprovals, service, { query });
    const byValue = await list({ value: 'LIST.gov' });
    expect(contract.listAutoApprovals.replies[200].parse(byValue.body).total).toBe(2);
    expect(byValue.body.autoApprovals.map((rule: { type: string }) => rule.type)).toEqual(['domain', 'partialDomain']);
    const both = await list({ value: 'list.gov', type: 'partialDomain' });
    expect(both.body).toMatchObject({ total: 1, autoApprovals: [{ type: 'partialDomain' }] });
    expect((await list({ value: 'list.gov', limit: 1, offset: 1 })).body).toMatchObject({
      total: 2,
      autoApprovals: [{ type: 'partialDomain' }],
    });
    expect((await list({ value: "' or true --" })).body).toEqual({ autoApprovals: [], total: 0 });
    for (const query of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { offset: 10_001 }, { type: 'x' }])
      expect((await list(query)).status).toBe(400);
  });
});

describe('updateAutoApproval', () => {
  it('replaces type and value', async () => {
    const { body } = await create({ type: 'domain', value: 'old.gov' });
    const changed = await update(body.id, { type: 'email', value: 'Ana@New.gov' });
    expect(changed.status).toBe(200);
    expect(contract.updateAutoApproval.replies[200].parse(changed.body)).toMatchObject({
      id: body.id,
      type: 'email',
      value: 'ana@new.gov',
      createdAt: body.createdAt,
    });
    expect((await update(body.id, { type: 'email', value: 'ana@new.gov' })).status).toBe(200);
    expect((await update(body.id, { type: 'email' })).status).toBe(400);
  });

  it('refuses a duplicate of another rule and an unknown id', async () => {
    await create({ type: 'domain', value: 'taken.gov' });
    const { body } = await create({ type: 'domain', value: 'free.gov' });
    const refused = await update(body.id, { type: 'domain', value: 'TAKEN.gov' });
    expect([refused.status, refused.body.code]).toEqual([409, 'people.rule_exists']);
    expect((await update(newId(), { type: 'domain', value: 'none.gov' })).status).toBe(404);
  });

  it('never leaves two equal rules after parallel changes', async () => {
    const rules = await Promise.all(
      ['r1.gov', 'r2.gov', 'r3.gov', 'r4.gov'].map((value) => create({ type: 'domain', value })),
    );
    const answers = await Promise.all(rules.map(({ body }) => update(body.id, { type: 'domain', value: 'same.gov' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('deleteAutoApproval', () => {
  it('deletes a rule once', async () => {
    const { body } = await create({ type: 'domain', value: 'gone.gov' });
    const remove = () => test.call(contract.deleteAutoApproval, service, { params: { id: body.id } });
    const first = await remove();
    expect([first.status, first.body]).toEqual([200, { deleted: true }]);
    expect((await remove()).status).toBe(404);
  });
});
