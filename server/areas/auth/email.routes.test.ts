import { changeEmail, confirmEmailChange, mintToken, readSession, signIn } from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { hashToken } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';

const test = await createTestApp();
const PASSWORD = 'correct horse';

let counter = 0;
const newEmail = () => `changed-${(counter += 1)}@new.example`;
const change = (as: As | undefined, body: Record<string, unknown>) => test.call(changeEmail, as, { body });

async function tokenFor(as: As, email: string): Promise<string> {
  expect((await change(as, { newEmail: email, password: PASSWORD })).status).toBe(200);
  const { link } = await lastMail(test, email, 'email_change');
  expect(link.pathname).toBe('/email/confirm');
  return link.searchParams.get('token') ?? '';
}

describe('changeEmail', () => {
  it('mails both addresses and changes nothing until the new one is proven', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    const answer = await change(maya.as, { newEmail: email.toUpperCase(), password: PASSWORD });
    expect(changeEmail.replies[200].parse(answer.body)).toEqual({ updated: true });
    expect((await test.call(readSession, maya.as)).body.viewer.email).toBe(maya.email);
    expect((await lastMail(test, maya.email, 'email_change_notice')).text).toContain(email);
  });

  it('requires the password', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    const answer = await change(maya.as, { newEmail: email, password: 'wrong horse' });
    expect([answer.status, answer.body.code]).toEqual([400, 'auth.wrong_password']);
    const noor = await makePerson(test);
    expect((await change(noor.as, { newEmail: email, password: 'nobody has this password' })).status).toBe(400);
    expect((await change(undefined, { newEmail: email, password: PASSWORD })).status).toBe(401);
    expect(await test.mails(email)).toEqual([]);
  });

  it('replies the same for an address that has an account, and mails its owner', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const noor = await makePerson(test);
    const answer = await change(maya.as, { newEmail: noor.email, password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([200, { updated: true }]);
    expect((await test.mails(noor.email)).map((mail) => mail.kind)).toEqual(['account_exists']);
  });

  it('does nothing for the current address', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    expect((await change(maya.as, { newEmail: maya.email, password: PASSWORD })).body).toEqual({ updated: false });
    expect(await test.mails(maya.email)).toEqual([]);
  });

  it('refuses a malformed address', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    for (const newEmail of ['x', ['a@b.example'], 'a@b.example\r\nbcc: c@d.example', 'a@localhost'])
      expect((await change(maya.as, { newEmail, password: PASSWORD })).status).toBe(400);
    expect((await change(maya.as, { newEmail: newEmail(), password: PASSWORD, role: 'administrator' })).status).toBe(
      400,
    );
  });
});

describe('confirmEmailChange', () => {
  it('changes the address once and ends every session', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    const token = await tokenFor(maya.as, email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(confirmEmailChange, maya.as, { body: { token } })),
    );
    const done = answers.filter((answer) => answer.status === 200);
    expect(done).toHaveLength(1);
    expect(confirmEmailChange.replies[200].parse(done[0]?.body)).toEqual({ updated: true });
    // The first ends the session of the others.
    const refused = answers.filter(({ body }) => ['auth.wrong_link', 'auth.required'].includes(body.code));
    expect(refused).toHaveLength(19);
    expect((await test.call(readSession, maya.as)).body.viewer).toBeNull();
    const signedIn = await test.call(signIn, undefined, { body: { email, password: PASSWORD } });
    expect((await test.call(readSession, sessionIn(signedIn))).body.viewer).toMatchObject({
      id: maya.id,
      limited: false,
    });
    expect((await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } })).status).toBe(401);
  });

  it('refuses visitors and other accounts, so that nobody proves an address for another person', async () => {
    const mallory = await makePerson(test, { password: PASSWORD });
    const owner = await makePerson(test);
    const token = await tokenFor(mallory.as, newEmail());
    const confirm = async (as?: As) => (await test.call(confirmEmailChange, as, { body: { token } })).body.code;
    expect([await confirm(), await confirm(owner.as)]).toEqual(['auth.required', 'auth.wrong_link']);
    expect((await test.call(readSession, mallory.as)).body.viewer.email).toBe(mallory.email);
    expect(await confirm(mallory.as)).toBeUndefined();
  });

  it('opens a new session', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const token = await tokenFor(maya.as, newEmail());
    const answer = await test.call(confirmEmailChange, maya.as, { body: { token } });
    expect((await test.call(readSession, maya.as)).body.viewer).toBeNull();
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.id).toBe(maya.id);
  });

  it('keeps the expiry of the session it replaces', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const { id, name, email } = maya;
    const exp = Math.floor(Date.now() / 1000) + 600;
    const minted = await test.call(mintToken, { serviceKey: SERVICE_KEY }, { body: { id, name, email, exp } });
    const token = await tokenFor(maya.as, newEmail());
    const answer = await test.call(confirmEmailChange, sessionIn(minted), { body: { token } });
    const [cookie] = answer.cookies;
    expect(cookie?.maxAge).toBeGreaterThan(500);
    expect(cookie?.maxAge).toBeLessThanOrEqual(600);
    const { rows } = await sql<{ expires_at: Date }>`
      select expires_at from sessions where token_hash = ${hashToken(cookie?.value ?? '')}`.execute(test.ctx.db);
    expect(rows).toEqual([{ expires_at: new Date(exp * 1000) }]);
  });

  it('opens no session when the viewer’s session has ended meanwhile', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const token = await tokenFor(maya.as, newEmail());
    expect((await test.call(readSession, maya.as)).body.viewer.id).toBe(maya.id);
    await sql`delete from sessions where user_id = ${maya.id}`.execute(test.ctx.db); // like another node whose announcement has not arrived
    const answer = await test.call(confirmEmailChange, maya.as, { body: { token } });
    expect([answer.status, answer.cookies]).toEqual([200, []]);
  });

  it('refuses an address that was taken meanwhile', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    const token = await tokenFor(maya.as, email);
    await makePerson(test, { email });
    const answer = await test.call(confirmEmailChange, maya.as, { body: { token } });
    expect([answer.status, answer.body.code]).toEqual([409, 'auth.email_taken']);
  });

  it('takes over an address that another sign-up never proved', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    const squatter = await makePerson(test, { email, isProven: false });
    const token = await tokenFor(maya.as, email);
    const answer = await test.call(confirmEmailChange, maya.as, { body: { token } });
    expect(answer.status).toBe(200);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer).toMatchObject({ id: maya.id, email });
    expect((await test.call(readSession, squatter.as)).body.viewer).toBeNull();
  });

  it('keeps what is reserved for the address for the user who proves it', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const email = newEmail();
    await makePerson(test, { email, isProven: false });
    const cohortId = await makeCohort(test);
    await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${cohortId}, ${email})`.execute(
      test.ctx.db,
    );
    await sql`insert into auto_approvals (id, type, value) values (${newId()}, 'email', ${email})`.execute(test.ctx.db);
    await sql`update users set role = 'non-public-servant' where id = ${maya.id}`.execute(test.ctx.db);
    const token = await tokenFor(maya.as, email);
    expect((await test.call(confirmEmailChange, maya.as, { body: { token } })).status).toBe(200);
    const members = await sql`select from cohort_members where user_id = ${maya.id}`.execute(test.ctx.db);
    expect(members.rows).toHaveLength(1);
    const { rows } = await sql`select role from users where id = ${maya.id}`.execute(test.ctx.db);
    expect(rows).toEqual([{ role: 'public-servant' }]);
  });

  it('accepts only the link of the latest change', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const first = await tokenFor(maya.as, newEmail());
    await tokenFor(maya.as, newEmail());
    expect((await test.call(confirmEmailChange, maya.as, { body: { token: first } })).status).toBe(400);
  });

  it('revokes an approval that was based on the old address', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const noor = await makePerson(test, { password: PASSWORD });
    const rule = newId();
    await sql`insert into auto_approvals (id, type, value) values (${rule}, 'domain', 'kept.gov')`.execute(test.ctx.db);
    await sql`update users set approved_by_rule = ${rule} where id in (${maya.id}, ${noor.id})`.execute(test.ctx.db);
    const roleOf = async (id: string) =>
      (await test.ctx.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirst())?.role;
    await test.call(confirmEmailChange, maya.as, { body: { token: await tokenFor(maya.as, newEmail()) } });
    expect(await roleOf(maya.id)).toBe('non-public-servant');
    await test.call(confirmEmailChange, noor.as, { body: { token: await tokenFor(noor.as, 'noor@kept.gov') } });
    expect(await roleOf(noor.id)).toBe('public-servant');
  });
});
