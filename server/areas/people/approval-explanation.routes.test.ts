import { ApprovalExplanation, explainApproval } from '@officium/contract/approval-review';
import { createAutoApproval, readUserRecord, updateUserRecord, writeRegistration } from '@officium/contract/people';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { countQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;
const countWhile = countQueries(test);
const service = { serviceKey: SERVICE_KEY };
const admin = await makePerson(test, { role: 'administrator' });

const explain = (id: string, as: object | undefined = admin.as) =>
  test.call(explainApproval, as as typeof admin.as, { params: { id } });
const addRule = async (type: string, value: string) =>
  (await test.call(createAutoApproval, service, { body: { type, value } })).body.id as string; // an untyped reply

beforeEach(async () => {
  await sql`delete from auto_approvals`.execute(db);
});

/** A person who signed up with a proven address and waits. */
async function makeWaiting(email: string) {
  const person = await makePerson(test, { email, role: 'non-public-servant' });
  await db.updateTable('users').set({ registration_status: 'pending' }).where('id', '=', person.id).execute();
  return person;
}

describe('explainApproval', () => {
  it('names the nearest rule of each type, and how many rules there are', async () => {
    const person = await makeWaiting('ana@tax.agency1.gov');
    const [domain, email, partial] = [
      await addRule('domain', 'agency1.gov'),
      await addRule('email', 'bo@tax.agency1.gov'),
      await addRule('partialDomain', 'roads.agency1.gov'),
    ];
    await addRule('domain', 'elsewhere.gov');
    const { status, body } = await explain(person.id);
    expect(status).toBe(200);
    expect(ApprovalExplanation.strict().parse(body)).toEqual({
      reason: 'no_rule',
      rule: null,
      near: [
        { rule: { id: domain, type: 'domain', value: 'agency1.gov' }, why: 'exact_domain' },
        { rule: { id: email, type: 'email', value: 'bo@tax.agency1.gov' }, why: 'other_address' },
        { rule: { id: partial, type: 'partialDomain', value: 'roads.agency1.gov' }, why: 'other_domain' },
      ],
      rules: { domain: 2, email: 1, partialDomain: 1 },
    });
  });

  it('finds a lookalike, and no rule of another organisation', async () => {
    const person = await makeWaiting('ana@myagency2.gov');
    const lookalike = await addRule('partialDomain', 'agency2.gov');
    await addRule('email', 'ana@gency2.gov.example');
    expect((await explain(person.id)).body.near).toMatchObject([{ rule: { id: lookalike }, why: 'label_boundary' }]);
  });

  it.each(['domain', 'email', 'partialDomain'])(
    'says that a rule was made after the address was proven: %s',
    async (type) => {
      const at = `${type.toLowerCase()}3.gov`;
      const person = await makeWaiting(`ana@${at}`);
      expect((await explain(person.id)).body).toMatchObject({ reason: 'no_rules', rule: null, near: [] });
      const id = await addRule(type, type === 'email' ? `ana@${at}` : at);
      expect((await explain(person.id)).body).toMatchObject({ reason: 'proven_before', rule: { id, type }, near: [] });
    },
  );

  it('says that the address is not proven, and which rule will then approve it', async () => {
    const person = await makeWaiting('ana@agency4.gov');
    await db.updateTable('users').set({ email_proven_at: null }).where('id', '=', person.id).execute();
    expect((await explain(person.id)).body).toMatchObject({ reason: 'unproven', rule: null });
    const id = await addRule('partialDomain', 'agency4.gov');
    expect((await explain(person.id)).body).toMatchObject({ reason: 'unproven', rule: { id } });
  });

  it('names the matching rule when an administrator took the approval back', async () => {
    const id = await addRule('domain', 'agency9.gov');
    const person = await makePerson(test, { email: 'ana@agency9.gov', role: 'public-servant' });
    await db
      .updateTable('users')
      .set({ registration_status: 'approved', approved_by_rule: id })
      .where('id', '=', person.id)
      .execute();
    expect((await explain(person.id)).body.reason).toBe('approved');
    await test.call(updateUserRecord, admin.as, {
      params: { id: person.id },
      body: { name: person.name, role: 'non-public-servant' },
    });
    expect((await explain(person.id)).body).toMatchObject({ reason: 'proven_before', rule: { id } });
  });

  it('follows decisions and roles', async () => {
    const person = await makeWaiting('ana@agency5.gov');
    const decide = (status: string) =>
      test.call(writeRegistration, admin.as, { body: { email: 'ana@agency5.gov', status } });
    await decide('refused');
    expect((await explain(person.id)).body.reason).toBe('refused');
    await decide('approved');
    expect((await explain(person.id)).body.reason).toBe('approved');
    await db.updateTable('users').set({ role: 'inactive' }).where('id', '=', person.id).execute();
    expect((await explain(person.id)).body.reason).toBe('inactive');
  });

  it('is for administrators only, and not in what the person reads', async () => {
    const person = await makeWaiting('ana@agency6.gov');
    await addRule('domain', 'x.agency6.gov');
    expect((await explain(person.id, person.as)).status).toBe(403);
    expect((await test.call(explainApproval, undefined, { params: { id: person.id } })).status).toBe(401);
    expect((await explain(person.id, service)).status).toBe(403);
    const { body } = await test.call(readUserRecord, person.as, { params: { id: 'me' } });
    expect(JSON.stringify(body)).not.toContain('x.agency6.gov');
  });

  it('answers 404 for an unknown or erased account', async () => {
    expect((await explain(newId())).status).toBe(404);
    const person = await makeWaiting('ana@agency7.gov');
    await db.updateTable('users').set({ email: null }).where('id', '=', person.id).execute();
    expect((await explain(person.id)).status).toBe(404);
  });

  it('is audited hourly, and takes two queries besides', async () => {
    const person = await makeWaiting('ana@agency8.gov');
    await explain(person.id);
    await explain(person.id);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_log where action = 'admin.read-person' and object = ${person.id}`.execute(
      db,
    );
    expect(rows[0]?.n).toBe(1);
    expect(await countWhile(() => explain(person.id))).toBeLessThanOrEqual(3);
  });
});
