import { createUpload } from '@officium/contract/admin';
import { listResends, resendInvitations, searchInvitations, withdrawInvitation } from '@officium/contract/cohorts';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const named = (name: string) => `${name}-${newId().slice(-8)}@example.gov`;

/** A cohort with an upload of these addresses, mailed two days ago. */
async function invite(emails: string[], daysAgo = 2): Promise<{ cohort: string; uploadId: string }> {
  const cohort = await makeCohort(test);
  const sent = { params: { id: cohort }, body: { slug: 'list', emails } };
  const { uploadId } = (await test.call(createUpload, admin.as, sent)).body;
  await test.drain();
  await sql`update cohort_invitations set created_at = now() - make_interval(days => ${daysAgo}) where cohort_id = ${cohort}`.execute(
    db,
  );
  await sql`update mails set created_at = now() - make_interval(days => ${daysAgo}) where recipient = any(${emails}::text[])`.execute(
    db,
  );
  return { cohort, uploadId };
}
const again = async (cohort: string, body: object = {}) =>
  await test.call(resendInvitations, admin.as, { params: { id: cohort }, body });
const listed = async (cohort: string, query: Record<string, string> = {}) =>
  (await test.call(searchInvitations, admin.as, { params: { id: cohort }, query })).body;
const mailsTo = async (email: string) => (await test.mails(email)).length;

it('resends all due invitations once a day and counts them', async () => {
  const [due, fresh] = [named('due'), named('fresh')];
  const { cohort } = await invite([due, fresh]);
  await sql`update mails set created_at = now() where recipient = ${fresh}`.execute(db);
  const answers = await Promise.all([again(cohort), again(cohort)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
  await test.drain();
  const { body } = await test.call(listResends, admin.as, { params: { id: cohort } });
  expect(body.resends).toMatchObject([{ total: 2, done: 2, sent: 1, finishedAt: expect.any(String) }]);
  expect([await mailsTo(due), await mailsTo(fresh)]).toEqual([2, 1]);
  await again(cohort);
  await test.drain();
  expect(await mailsTo(due)).toBe(2);
  const { invitations } = await listed(cohort, { match: 'due-' });
  expect(invitations).toMatchObject([{ email: due, timesSentAgain: 1, canSendAgain: false }]);
});

it('mails an address once a day, even if two cohorts invite it', async () => {
  const email = named('both');
  const [one, other] = [await invite([email]), await invite([email])];
  await sql`update mails set created_at = now() - interval '2 days' where recipient = ${email}`.execute(db);
  await Promise.all([again(one.cohort), again(other.cohort)]);
  await test.drain();
  expect(await mailsTo(email)).toBe(3);
});

it('resends one invitation, or those of one upload', async () => {
  const [first, second] = [named('first'), named('second')];
  const { cohort, uploadId } = await invite([first]);
  await test.call(createUpload, admin.as, { params: { id: cohort }, body: { slug: 'b', emails: [second] } });
  await test.drain();
  const [{ id }] = (await listed(cohort, { match: first })).invitations;
  expect((await again(cohort, { invitationId: id })).body).toMatchObject({ total: 1, sent: 1 });
  const lately = await again(cohort, { invitationId: id });
  expect([lately.status, lately.body.code]).toEqual([409, 'admin.invited_lately']);
  await sql`update cohort_invitations set sent_again_at = now() - interval '2 days' where id = ${id}`.execute(db);
  await sql`update mails set created_at = now() - interval '2 days' where recipient = any(${[first, second]}::text[])`.execute(
    db,
  );
  await again(cohort, { uploadId });
  await test.drain();
  expect([await mailsTo(first), await mailsTo(second)]).toEqual([3, 1]);
  expect((await again(cohort, { uploadId: newId() })).status).toBe(400);
  expect((await again(cohort, { invitationId: newId() })).status).toBe(400);
  expect((await again(newId())).status).toBe(404);
});

it('pages through invitations, and deletes one with its queued mail', async () => {
  const emails = ['a', 'b', 'c'].map(named);
  const { cohort } = await invite(emails, 0);
  const page = await listed(cohort, { limit: '2' });
  expect([page.invitations.length, page.hasMore]).toEqual([2, true]);
  const rest = await listed(cohort, { limit: '2', after: page.invitations[1].id });
  expect([rest.invitations.length, rest.hasMore]).toEqual([1, false]);
  const { id, email } = rest.invitations[0];
  await sql`update mails set status = 'queued' where recipient = ${email}`.execute(db);
  const params = { id: cohort, invitationId: id };
  expect((await test.call(withdrawInvitation, admin.as, { params })).status).toBe(204);
  expect((await test.mails(email)).map(({ status }) => status)).toEqual(['cancelled']);
  expect((await test.call(withdrawInvitation, admin.as, { params })).status).toBe(404);
});
