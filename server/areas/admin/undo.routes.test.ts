import {
  addCohortUser,
  createUpload,
  listCohortUsers,
  listUploadAddresses,
  readCohort,
} from '@officium/contract/admin';
import { readUpload, undoUpload } from '@officium/contract/cohorts';
import { confirmSignUp, createAccount } from '@officium/contract/auth';
import { enrolMyself, readMyLearning } from '@officium/contract/learner';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const NAME = 'Spring 2026';
const address = () => `person-${newId().slice(-12)}@example.gov`;

async function uploadTo(cohort: string, emails: string[]): Promise<string> {
  const sent = { params: { id: cohort }, body: { slug: 'list', emails } };
  return (await test.call(createUpload, admin.as, sent)).body.uploadId;
}
const undo = async (cohort: string, uploadId: string, name = NAME) =>
  await test.call(undoUpload, admin.as, { params: { id: cohort, uploadId }, body: { name } });
const stateOf = async (cohort: string, uploadId: string) =>
  (await test.call(readUpload, admin.as, { params: { id: cohort, uploadId } })).body;
const undoneOf = async (cohort: string, uploadId: string): Promise<Record<string, string>> => {
  const { body } = await test.call(listUploadAddresses, admin.as, { params: { id: cohort, uploadId } });
  return Object.fromEntries(body.addresses.map((one: { email: string; undone: string }) => [one.email, one.undone]));
};
const totalOf = async (cohort: string) =>
  (await test.call(readCohort, admin.as, { params: { id: cohort } })).body.total;

it('removes only what the upload created', async () => {
  const course = await makeCourse(test, {
    type: 'Private',
    scopes: { canView: 'private', canJoin: 'private' },
    journeys: [{ privacy: 'closed-private' }],
  });
  const cohort = await makeCohort(test, { name: NAME, products: [course.journey.entryId] });
  const [before, added, byHand, twice, enrolled] = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => await makePerson(test)),
  );
  if (!before || !added || !byHand || !twice || !enrolled) throw new Error('five were made');
  const [invited, invitedBefore] = [address(), address()];
  await putInCohort(test, cohort, before);
  await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${cohort}, ${invitedBefore})`.execute(
    db,
  );
  const upload = await uploadTo(
    cohort,
    [before, added, byHand, twice, enrolled].map(({ email }) => email).concat(invited, invitedBefore),
  );
  await test.drain();
  await test.call(addCohortUser, admin.as, { params: { id: cohort }, body: { email: byHand.email } });
  const second = await uploadTo(cohort, [twice.email]);
  await test.drain();
  await sql`insert into bulk_enrolments (id, email, type, slug, cohort_ids)
    values (${newId()}, ${enrolled.email}, 'courses', ${course.slug}, ${[cohort]})`.execute(db);
  const place = { body: { courseSlug: course.slug, journeySlug: course.journey.slug, locale: 'en' } };
  for (const { as } of [added, byHand]) expect((await test.call(enrolMyself, as, place)).status).toBeLessThan(300);
  await sql`update mails set status = 'queued' where recipient = ${invited}`.execute(db);

  expect((await undo(cohort, upload)).body).toMatchObject({ canUndo: false, undo: { finishedAt: null } });
  await test.drain();
  expect(await undoneOf(cohort, upload)).toEqual({
    [before.email]: 'kept',
    [added.email]: 'removed',
    [byHand.email]: 'kept',
    [twice.email]: 'kept',
    [enrolled.email]: 'kept',
    [invited]: 'withdrawn',
    [invitedBefore]: 'kept',
  });
  expect((await stateOf(cohort, upload)).undo).toMatchObject({
    removed: 1,
    withdrawn: 1,
    kept: 5,
    stopped: 0,
    finishedAt: expect.any(String),
  });
  expect(await totalOf(cohort)).toEqual({ members: 4, invitations: 1 });
  const journeys = async (as: typeof admin.as) =>
    (await test.call(readMyLearning, as)).body.journeys.map((one: { status: string }) => one.status);
  expect([await journeys(added.as), await journeys(byHand.as)]).toEqual([['expired'], ['enrolled']]);
  expect((await test.mails(invited)).map(({ status }) => status)).toEqual(['cancelled']);

  // The second upload also covers the address. Once both are undone, the member is removed.
  await undo(cohort, second);
  await test.drain();
  expect(await undoneOf(cohort, second)).toEqual({ [twice.email]: 'kept' });
});

it('requires the cohort’s name, is possible for thirty days, and starts once', async () => {
  const cohort = await makeCohort(test, { name: NAME });
  const upload = await uploadTo(cohort, [address()]);
  await test.drain();
  const wrong = await undo(cohort, upload, 'Autumn');
  expect([wrong.status, wrong.body.issues]).toEqual([
    400,
    [{ path: 'name', message: 'Must be the name of the cohort' }],
  ]);
  await sql`update cohort_uploads set created_at = now() - interval '31 days' where id = ${upload}`.execute(db);
  const late = await undo(cohort, upload);
  expect([late.status, late.body.code]).toEqual([409, 'admin.undo_too_late']);
  await sql`update cohort_uploads set created_at = now() where id = ${upload}`.execute(db);
  const answers = await Promise.all([undo(cohort, upload), undo(cohort, upload), undo(cohort, upload)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  await test.drain();
  const first = await stateOf(cohort, upload);
  expect((await undo(cohort, upload)).body.undo).toEqual(first.undo);
  await test.drain();
  expect((await stateOf(cohort, upload)).undo).toEqual(first.undo);
  expect((await undo(await makeCohort(test, { name: NAME }), upload)).status).toBe(404);
});

it('stops a running upload', async () => {
  const cohort = await makeCohort(test, { name: NAME });
  const upload = await uploadTo(cohort, Array.from({ length: 250 }, address));
  await undo(cohort, upload);
  await test.drain();
  const { waiting, outcomes, undo: undone } = await stateOf(cohort, upload);
  expect(waiting).toBe(0);
  expect(undone.withdrawn + undone.stopped).toBe(250);
  expect(undone.withdrawn).toBe(outcomes.invited);
  expect(await totalOf(cohort)).toEqual({ members: 0, invitations: 0 });
});

it('removes users who accepted the invitation or changed their address meanwhile', async () => {
  const cohort = await makeCohort(test, { name: NAME });
  const [email, moved] = [address(), await makePerson(test)];
  const upload = await uploadTo(cohort, [email, moved.email]);
  await test.drain();
  await test.call(createAccount, {}, { body: { name: 'Noor', email } });
  const { code } = await lastMail(test, email, 'sign_up_code');
  await sql`update users set email = ${address()} where id = ${moved.id}`.execute(db);
  await undo(cohort, upload);
  await Promise.all([test.drain(), test.call(confirmSignUp, {}, { body: { email, code } })]);
  await test.drain();
  expect((await test.call(listCohortUsers, admin.as, { params: { id: cohort } })).body.users).toEqual([]);
  expect(await totalOf(cohort)).toEqual({ members: 0, invitations: 0 });
});
