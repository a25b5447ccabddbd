import { deleteAccount } from '@officium/contract/auth';
import * as contract from '@officium/contract/people';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

beforeEach(async () => {
  await sql`update users set role = 'public-servant' where role = 'administrator'`.execute(test.ctx.db);
});

const makeAdministrator = async (given: { isProven?: boolean } = {}) =>
  await makePerson(test, { role: 'administrator', ...given });
const demote = ({ id }: TestPerson, by: TestPerson) =>
  test.call(contract.updateUserRecord, by.as, { params: { id }, body: { name: 'Lowered', role: 'public-servant' } });
const refuse = ({ email }: TestPerson, by: TestPerson) =>
  test.call(contract.writeRegistration, by.as, { body: { email, status: 'refused', role: 'inactive' } });
const erase = ({ id }: TestPerson, by: TestPerson) => test.call(contract.eraseUser, by.as, { params: { id } });
const eraseByAddress = ({ email }: TestPerson, by: TestPerson) =>
  test.call(deleteAccount, by.as, { params: { email } });

async function countAdministrators(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users
    where role = 'administrator' and erased_at is null and email_proven_at is not null`.execute(test.ctx.db);
  return rows[0]!.count;
}

it.each([
  ['demoting', demote, demote],
  ['refusing', refuse, refuse],
  ['erasing', erase, erase],
  ['demoting and erasing', demote, eraseByAddress],
  ['erasing themselves and demoting', (_: TestPerson, by: TestPerson) => erase(by, by), demote],
])('one of two administrators remains after parallel requests for %s each other', async (_, first, second) => {
  for (let round = 0; round < 8; round += 1) {
    await sql`update users set role = 'public-servant' where role = 'administrator'`.execute(test.ctx.db);
    const [one, other] = [await makeAdministrator(), await makeAdministrator()];
    await Promise.all([first(other, one), second(one, other)]);
    expect(await countAdministrators()).toBeGreaterThan(0);
  }
});

it('an administrator can erase their account only if another one can sign in', async () => {
  const [last] = [await makeAdministrator(), await makeAdministrator({ isProven: false })];
  for (const erased of [await erase(last, last), await eraseByAddress(last, last)])
    expect([erased.status, erased.body.code]).toEqual([409, 'people.last_administrator']);
  await makeAdministrator();
  expect((await erase(last, last)).status).toBe(200);
});
