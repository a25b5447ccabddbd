import { confirmLoginLink } from '@officium/contract/auth';
import { listNotifications } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeAdministrator, makeSignInLink, resetSecondFactorOf } from './operator.service.ts';

const app = await createTestApp();
const { ctx } = app;

async function logOf(id: string) {
  const { rows } = await sql<{ actor: string; action: string }>`
    select actor, action from audit_log where object = ${id} order by id`.execute(ctx.db);
  return rows.map(({ actor, action }) => `${actor} ${action}`);
}
const accountOf = async (id: string) =>
  await ctx.db
    .selectFrom('users')
    .select(['role', 'second_factor', 'email'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const emailOf = async (id: string) => (await accountOf(id)).email ?? '';

describe('an operator at the machine', () => {
  it('makes an account an administrator, once', async () => {
    const person = await makePerson(app);
    const email = await emailOf(person.id);
    expect([await makeAdministrator(ctx, email), await makeAdministrator(ctx, email)]).toEqual(['made', 'was-one']);
    expect(await accountOf(person.id)).toMatchObject({ role: 'administrator' });
    expect(await logOf(person.id)).toEqual(['system auth.make-administrator']);
  });

  it('notifies the other administrators of a new one, also when the role is taken back', async () => {
    const [person, other, member] = [
      await makePerson(app, { name: 'Maya' }),
      await makePerson(app, { role: 'administrator' }),
      await makePerson(app),
    ];
    const told = async ({ as }: { as: As }) =>
      (await app.call(listNotifications, as)).body.notifications
        .filter(({ event }: { event: string }) => event === 'administrator')
        .map(({ title }: { title: string }) => title);
    await makeAdministrator(ctx, await emailOf(person.id));
    expect([await told(other), await told(member)]).toEqual([['Maya'], []]);
    await sql`update users set role = 'public-servant' where id = ${person.id}`.execute(ctx.db);
    expect(await told(other)).toEqual(['Maya']);
  });

  it('resets a second factor: none is left, sessions end, and the person gets a mail', async () => {
    const person = await makePerson(app);
    await ctx.db
      .insertInto('totp_factors')
      .values({ user_id: person.id, secret: Buffer.from('sealed'), confirmed_at: new Date() })
      .execute();
    await sql`update users set second_factor = true where id = ${person.id}`.execute(ctx.db);
    const email = await emailOf(person.id);
    expect(await resetSecondFactorOf(ctx, email)).toBe(true);
    expect(await accountOf(person.id)).toMatchObject({ second_factor: false });
    const { rows } = await sql<{ sessions: number; mails: number }>`
      select (select count(*)::int from sessions where user_id = ${person.id}) as sessions,
        (select count(*)::int from mails where user_id = ${person.id}) as mails`.execute(ctx.db);
    expect(rows).toEqual([{ sessions: 0, mails: 1 }]);
    expect(await logOf(person.id)).toEqual(['system auth.change-second-factor']);
  });

  it('makes a link that signs in once, and is in the log without its secret', async () => {
    const person = await makePerson(app);
    const made = await makeSignInLink(ctx, await emailOf(person.id));
    expect(made?.expiresInSeconds).toBe(600);
    const url = new URL(made?.link ?? '');
    expect(url.pathname).toBe('/login/confirm');
    const token = url.searchParams.get('token');
    const confirm = async () => (await app.call(confirmLoginLink, {}, { body: { token } })).status;
    expect([await confirm(), await confirm()]).toEqual([200, 400]);
    expect(await logOf(person.id)).toEqual(['system auth.print-sign-in-link']);
    const { rows } = await sql`select 1 from audit_log where detail::text like ${`%${token}%`}`.execute(ctx.db);
    expect(rows).toEqual([]);
  });

  it('changes nothing for an address without an account', async () => {
    const email = 'nobody@city.example';
    expect(await makeAdministrator(ctx, email)).toBe('unknown');
    expect(await resetSecondFactorOf(ctx, email)).toBe(false);
    expect(await makeSignInLink(ctx, email)).toBeUndefined();
  });
});
