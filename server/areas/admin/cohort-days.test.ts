import {
  addCohortUser,
  createCohort,
  createUpload,
  listCohorts,
  readCohort,
  updateCohort,
} from '@officium/contract/admin';
import { reopenCohort, archiveCohort } from '@officium/contract/cohort-lifecycle';
import { confirmDraft, resendInvitations } from '@officium/contract/cohorts';
import { listMyAssignments } from '@officium/contract/learner';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimCohorts, inviteToCohorts, joinCohorts } from '#server/areas/auth/cohort-claim.repository.ts';
import { inTransaction } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeDraft } from '#server/test/authority/things.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const on = async (endpoint: Parameters<typeof test.call>[0], id: string, more: object = {}) =>
  await test.call(endpoint, admin.as, { params: { id }, ...more });
const update = async (id: string, body: object) => await on(updateCohort, id, { body });
const members = async (id: string) =>
  (await db.selectFrom('cohort_members').select('user_id').where('cohort_id', '=', id).execute()).map((m) => m.user_id);
const day = async (offset: number) =>
  (await sql<{ day: string }>`select ((now() at time zone 'UTC')::date + ${offset}::int)::text as day`.execute(db))
    .rows[0]?.day ?? '';
const [yesterday, today, tomorrow] = [await day(-1), await day(0), await day(1)];

async function sendFile(id: string) {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
  return await test.send('POST', `/api/admin/cohorts/${id}/drafts`, {
    as: admin.as,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${head}too.late@example.gov\r\n--x--\r\n`,
  });
}

it('keeps dates in order, whichever of them changes', async () => {
  const body = { name: 'Autumn', type: 'LEARNERS', primaryPartner: 'City', beginsOn: tomorrow, endsOn: today };
  const refused = await test.call(createCohort, admin.as, { body });
  expect([refused.status, refused.body.issues]).toEqual([
    400,
    [{ path: 'endsOn', message: 'Must not be before the first day' }],
  ]);
  const { id, ...made } = (await test.call(createCohort, admin.as, { body: { ...body, endsOn: tomorrow } })).body;
  expect(made).toMatchObject({ beginsOn: tomorrow, endsOn: tomorrow });
  expect((await update(id, { endsOn: today })).status).toBe(400);
  expect((await update(id, { beginsOn: null, endsOn: today })).body).toMatchObject({ endsOn: today });
  expect((await update(id, { beginsOn: tomorrow })).status).toBe(400);
  expect((await update(id, { beginsOn: '2026-02-30' })).status).toBe(400);
  const { body: plain } = await update(id, { endsOn: null });
  expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['beginsOn', 'endsOn', 'isOver']));
  const listed = (await test.call(listCohorts, admin.as, { query: { match: 'Autumn' } })).body.cohorts;
  expect(listed).toMatchObject([{ id }]);
});

it('takes no new people after its last day, by any way, and keeps its members', async () => {
  const member = await makePerson(test);
  const late = await makePerson(test);
  const id = await makeCohort(test);
  await putInCohort(test, id, member);
  await on(addCohortUser, id, { body: { email: 'invited.before@example.gov' } });
  const draftId = await makeDraft(test, id, admin);
  expect((await update(id, { endsOn: today })).body).not.toHaveProperty('isOver');
  await update(id, { endsOn: yesterday });
  expect((await on(readCohort, id)).body).toMatchObject({ endsOn: yesterday, isOver: true });
  const refused = [
    await on(addCohortUser, id, { body: { email: 'too.late@example.gov' } }),
    await on(createUpload, id, { body: { slug: 'late', emails: ['too.late@example.gov'] } }),
    await on(resendInvitations, id, { body: {} }),
    await test.call(confirmDraft, admin.as, { params: { id, draftId }, body: { slug: 'late' } }),
    await sendFile(id),
  ];
  for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'admin.cohort_ended']);
  expect(await joinCohorts(db, [id], late.id)).toEqual([]);
  await inviteToCohorts(db, { email: 'too.late@example.gov', cohortIds: [id] });
  expect(await members(id)).toEqual([member.id]);
  expect((await on(readCohort, id)).body.total).toEqual({ members: 1, invitations: 1 });
});

it('admits people whose invitations waited when the last day moves, and not while the cohort is archived', async () => {
  const id = await makeCohort(test);
  const person = await makePerson(test);
  await sql`insert into cohort_invitations (id, cohort_id, email) values (new_id(), ${id}, ${person.email})`.execute(
    db,
  );
  await update(id, { endsOn: yesterday });
  const claim = { userId: person.id, email: person.email };
  expect(await inTransaction(db, async (trx) => await claimCohorts(trx, claim))).toEqual([]);
  await on(archiveCohort, id);
  await on(reopenCohort, id);
  expect(await members(id)).toEqual([]);
  await on(archiveCohort, id);
  await update(id, { endsOn: tomorrow });
  expect(await members(id)).toEqual([]);
  await on(reopenCohort, id);
  expect(await members(id)).toEqual([person.id]);

  const other = await makeCohort(test);
  await update(other, { endsOn: yesterday });
  await sql`insert into cohort_invitations (id, cohort_id, email) values (new_id(), ${other}, ${person.email})`.execute(
    db,
  );
  await update(other, { endsOn: null });
  expect(await members(other)).toEqual([person.id]);
});

it('tells members the first day until it comes', async () => {
  const course = await makeCourse(test);
  const id = await makeCohort(test, { products: [course.journey.entryId] });
  const person = await makePerson(test);
  await putInCohort(test, id, person);
  const asked = async () => (await test.call(listMyAssignments, person.as, {})).body.assignments[0].cohort;
  await update(id, { beginsOn: tomorrow });
  expect(await asked()).toMatchObject({ beginsOn: tomorrow });
  await update(id, { beginsOn: today });
  expect(await asked()).not.toHaveProperty('beginsOn');
});
