import { changeEmail, confirmEmailChange, confirmSignUp, createAccount } from '@officium/contract/auth';
import { listNotifications, updateNotificationPreferences } from '@officium/contract/notifications';
import { createAutoApproval, readMyRegistration, updateUserRecord, writeRegistration } from '@officium/contract/people';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { openSession } from '#server/access/sessions.ts';
import { mailDigestsJob, mailWaitingJob } from './notification.jobs.ts';

const test = await createTestApp();
const { db } = test.ctx;
const service: As = { serviceKey: SERVICE_KEY };
let admin: TestPerson;
let other: TestPerson;

beforeEach(async () => {
  await db.deleteFrom('notifications').execute();
  await db.updateTable('users').set({ registration_status: null }).execute();
  admin = await makePerson(test, { role: 'administrator' });
  other = await makePerson(test, { role: 'administrator' });
});

const inbox = async (as: As) =>
  listNotifications.replies[200].parse((await test.call(listNotifications, as)).body).notifications;

let counter = 0;
const newEmail = (domain = 'elsewhere.org') => `waiting-${(counter += 1)}@${domain}`;

/** Signs up and proves the address. */
async function signUp(email = newEmail()): Promise<{ id: string; email: string; as: As }> {
  await test.call(createAccount, undefined, { body: { email, name: 'Noor' } });
  const { code } = await lastMail(test, email, 'sign_up_code');
  const answer = await test.call(confirmSignUp, undefined, { body: { email, code } });
  const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return { id, email, as: sessionIn(answer) };
}
const decide = (email: string, status: string, reason?: string, as: As = service) =>
  test.call(writeRegistration, as, { body: { email, status, reason } });

describe('a registration that waits', () => {
  it('is one notification for each administrator, with the number that waits now, until none waits', async () => {
    const servant = await makePerson(test);
    const { email } = await signUp();
    const told = { event: 'registration_waiting', path: '/admin/people?state=waiting', title: null, actor: null };
    expect(await inbox(admin.as)).toMatchObject([{ ...told, count: 1 }]);
    const second = await signUp();
    expect(await inbox(admin.as)).toMatchObject([{ ...told, count: 2, isRead: false }]);
    expect(await inbox(other.as)).toMatchObject([{ ...told, count: 2 }]);
    expect([await inbox(servant.as), await inbox(second.as)]).toEqual([[], []]);
    await decide(email, 'approved');
    expect(await inbox(admin.as)).toMatchObject([{ count: 1 }]);
    await decide(second.email, 'refused');
    expect([await inbox(admin.as), await inbox(other.as)]).toEqual([[], []]);
  });

  it('is not told before the address is proven, nor when a rule approves it', async () => {
    await test.call(createAccount, undefined, { body: { email: newEmail(), name: 'Noor' } });
    await test.call(createAutoApproval, service, { body: { type: 'domain', value: 'approved.example' } });
    const approved = await signUp(newEmail('approved.example'));
    expect([await inbox(admin.as), await inbox(approved.as)]).toEqual([[], []]);
  });

  it('is not shown to a narrowed session, nor to a former administrator', async () => {
    await signUp();
    const token = await openSession(db, { userId: admin.id, permissions: { communities: { any: 3 } } });
    expect(await inbox({ token })).toEqual([]);
    await db.updateTable('users').set({ role: 'public-servant' }).where('id', '=', other.id).execute();
    await test.forgetSessions(other.id);
    expect(await inbox(other.as)).toEqual([]);
  });

  it('is told once of registrations at the same time', async () => {
    await Promise.all([signUp(), signUp(), signUp()]);
    for (const { as } of [admin, other]) expect(await inbox(as)).toMatchObject([{ count: 3 }]);
    const stored = db.selectFrom('notifications').select('id').where('user_id', '=', admin.id);
    expect(await stored.execute()).toHaveLength(1);
  });

  it('is told anew after the notification was read, and mailed in the digest without a name', async () => {
    await signUp();
    await db.updateTable('notifications').set({ read_at: new Date() }).execute();
    await signUp();
    expect((await inbox(admin.as)).map(({ isRead }) => isRead)).toEqual([false, true]);
    await db
      .updateTable('notifications')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .execute();
    await mailWaitingJob.run(test.ctx, {});
    expect(await test.mails(admin.email)).toEqual([]);
    await test.call(updateNotificationPreferences, admin.as, { body: { digestHour: new Date().getUTCHours() } });
    await mailDigestsJob.run(test.ctx, {});
    const mail = await lastMail(test, admin.email, 'notification_digest');
    expect(mail.text).toContain('2 registrations are waiting for a decision');
    expect(mail.text).not.toContain('Noor');
  });
});

describe('a decision on a registration', () => {
  it('is told to the person alone, and an approval leads home', async () => {
    const { id, email } = await signUp();
    await Promise.all([decide(email, 'approved'), decide(email, 'approved')]);
    const as = await test.signIn(id);
    expect(await inbox(as)).toMatchObject([{ event: 'registration_decided', path: '/', count: 1 }]);
    expect(await inbox(admin.as)).toEqual([]);
    expect((await test.call(readMyRegistration, as)).body).toEqual({ status: 'approved', reason: null });
    await db
      .updateTable('notifications')
      .set({ created_at: new Date(Date.now() - 180_000) })
      .execute();
    await mailWaitingJob.run(test.ctx, {});
    expect((await lastMail(test, email, 'notification')).text).toContain('Your registration has been approved');
  });

  it('leads to the reason of a refusal, and a changed decision replaces it', async () => {
    const { id, email } = await signUp();
    await decide(email, 'refused', 'Not a public service', admin.as);
    const as = await test.signIn(id);
    expect(await inbox(as)).toMatchObject([{ event: 'registration_decided', path: '/#registration' }]);
    expect((await test.call(readMyRegistration, as)).body).toEqual({
      status: 'refused',
      reason: 'Not a public service',
    });
    const token = await openSession(db, { userId: id, permissions: { communities: { any: 3 } } });
    expect(await inbox({ token })).toEqual([]);
    await decide(email, 'approved', 'Checked by phone');
    const again = await test.signIn(id);
    expect(await inbox(again)).toMatchObject([{ path: '/' }]);
    expect((await test.call(readMyRegistration, again)).body).toEqual({ status: 'approved', reason: null });
  });

  it('is told when an administrator gives the role', async () => {
    const { id } = await signUp();
    const body = { name: 'Noor', role: 'public-servant' };
    expect((await test.call(updateUserRecord, admin.as, { params: { id }, body })).status).toBe(200);
    expect(await inbox(await test.signIn(id))).toMatchObject([{ event: 'registration_decided', path: '/' }]);
  });

  it('is told when a rule approves the address that the person changes to', async () => {
    const password = 'correct horse';
    const noor = await makePerson(test, { role: 'non-public-servant', password });
    await db.updateTable('users').set({ registration_status: 'pending' }).where('id', '=', noor.id).execute();
    await test.call(createAutoApproval, service, { body: { type: 'domain', value: 'agency.example' } });
    const email = newEmail('agency.example');
    await test.call(changeEmail, noor.as, { body: { newEmail: email, password } });
    const { link } = await lastMail(test, email, 'email_change');
    const body = { token: link.searchParams.get('token') };
    const changed = await test.call(confirmEmailChange, noor.as, { body });
    expect(await inbox(sessionIn(changed))).toMatchObject([{ event: 'registration_decided', path: '/' }]);
    expect(await inbox(admin.as)).toEqual([]);
  });

  it('does not exist for an account that never signed up', async () => {
    const person = await makePerson(test);
    expect((await test.call(readMyRegistration, person.as)).body).toEqual({ status: null, reason: null });
    expect((await test.call(readMyRegistration)).status).toBe(401);
  });
});
