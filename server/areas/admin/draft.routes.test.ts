import { listUploadAddresses, listUploads, readCohort } from '@officium/contract/admin';
import { chooseDraftColumn, confirmDraft, readUploadDraft } from '@officium/contract/cohorts';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const colleague = await makePerson(test, { role: 'administrator' });

const BOUNDARY = 'a-line-between-parts';
const send = async (
  cohort: string,
  text: string,
  { as = admin.as, field = 'file' }: { as?: As; field?: string } = {},
) =>
  await test.send('POST', `/api/admin/cohorts/${cohort}/drafts`, {
    as,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: [
      `--${BOUNDARY}`,
      `content-disposition: form-data; name="${field}"; filename="people.csv"`,
      'content-type: text/csv',
      '',
      text,
      `--${BOUNDARY}--`,
      '',
    ].join('\r\n'),
  });
const draftOf = (cohort: string, { id }: { id: string }) => ({ params: { id: cohort, draftId: id } });

it('previews an upload without writing members or invitations', async () => {
  const cohort = await makeCohort(test);
  const member = await makePerson(test);
  const other = await makePerson(test);
  const gone = await makePerson(test, { role: 'inactive' });
  await putInCohort(test, cohort, member);
  await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${cohort}, 'in@example.gov')`.execute(
    db,
  );
  const lines = [
    'Email',
    member.email,
    other.email,
    gone.email,
    'in@example.gov',
    'new@example.gov',
    'NEW@example.gov',
    'no',
  ];
  const { status, body } = await send(cohort, lines.join('\n'));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'people.csv',
    rows: 7,
    addresses: 5,
    fresh: 2,
    already: 2,
    inactive: 1,
    repeated: 1,
    wrong: 1,
    wrongRows: [{ row: 8, value: 'no', reason: 'malformed' }],
    uploadId: null,
  });
  await test.drain();
  expect((await test.call(readCohort, admin.as, { params: { id: cohort } })).body.total).toEqual({
    members: 1,
    invitations: 1,
  });
  expect((await test.call(readUploadDraft, admin.as, draftOf(cohort, body))).body).toEqual(body);
});

it('is available for an hour to its uploader in its cohort', async () => {
  const cohort = await makeCohort(test);
  const { body: draft } = await send(cohort, 'new@example.gov');
  const read = draftOf(cohort, draft);
  expect((await test.call(readUploadDraft, colleague.as, read)).status).toBe(404);
  expect((await test.call(confirmDraft, colleague.as, { ...read, body: { slug: 'x' } })).status).toBe(404);
  expect((await test.call(readUploadDraft, admin.as, draftOf(await makeCohort(test), draft))).status).toBe(404);
  await sql`update cohort_drafts set created_at = now() - interval '61 minutes' where id = ${draft.id}`.execute(db);
  expect((await test.call(readUploadDraft, admin.as, read)).status).toBe(404);
  expect((await test.call(confirmDraft, admin.as, { ...read, body: { slug: 'x' } })).status).toBe(404);
});

it('cuts a long heading without splitting a character', async () => {
  const cohort = await makeCohort(test);
  const { status, body } = await send(cohort, `${'e'.repeat(79)}😀\nnew@example.gov`);
  expect([status, body.columns]).toEqual([201, [{ label: `${'e'.repeat(79)}�`, addresses: 1 }]]);
});

it('uses another column on request', async () => {
  const cohort = await makeCohort(test);
  const { body: draft } = await send(
    cohort,
    'Manager,Email\nzed@example.gov,ada@example.gov\nzed@example.gov,bo@example.gov',
  );
  expect(draft).toMatchObject({
    column: 1,
    addresses: 2,
    columns: [
      { label: 'Manager', addresses: 2 },
      { label: 'Email', addresses: 2 },
    ],
  });
  const chosen = await test.call(chooseDraftColumn, admin.as, { ...draftOf(cohort, draft), body: { column: 0 } });
  expect(chosen.body).toMatchObject({ column: 0, addresses: 1, repeated: 1 });
  const none = await test.call(chooseDraftColumn, admin.as, { ...draftOf(cohort, draft), body: { column: 9 } });
  expect([none.status, none.body.code]).toEqual([400, 'admin.file_no_addresses']);
});

it('becomes one upload for parallel confirmations', async () => {
  const cohort = await makeCohort(test);
  const { body: draft } = await send(cohort, 'ada@example.gov\nbo@example.gov\nwrong');
  const confirm = async () =>
    await test.call(confirmDraft, admin.as, { ...draftOf(cohort, draft), body: { slug: 'may' } });
  const answers = await Promise.all([confirm(), confirm(), confirm()]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body.uploadId)).size).toBe(1);
  await test.drain();
  const { body } = await test.call(listUploads, admin.as, { params: { id: cohort } });
  expect(body.uploads).toMatchObject([{ slug: 'may', status: 'done', total: 2, waiting: 0, outcomes: { invited: 2 } }]);
  const { uploadId } = body.uploads[0];
  const listed = await test.call(listUploadAddresses, admin.as, { params: { id: cohort, uploadId } });
  expect(listed.body.addresses).toMatchObject([
    { email: 'ada@example.gov', outcome: 'invited', undone: null },
    { email: 'bo@example.gov', outcome: 'invited', undone: null },
  ]);
  expect(
    (await sql<{ emails: string[] }>`select emails from cohort_drafts where id = ${draft.id}`.execute(db)).rows[0]
      ?.emails,
  ).toEqual([]);
});

it.each([
  ['no addresses', 'nothing here', 'file', 400, 'admin.file_no_addresses'],
  ['another field', 'ada@example.gov', 'other', 400, 'admin.file_unreadable'],
  ['too large', `ada@example.gov\n${'x'.repeat(8 * 1024 * 1024)}`, 'file', 413, 'admin.file_too_large'],
  ['too many rows', 'a@example.gov\n'.repeat(100_001), 'file', 400, 'admin.file_too_many_rows'],
])('refuses a file with %s', async (_, text, field, status, code) => {
  const answer = await send(await makeCohort(test), text, { field });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

it('is allowed only to administrators and existing cohorts', async () => {
  const person = await makePerson(test);
  const cohort = await makeCohort(test);
  expect((await send(cohort, 'ada@example.gov', { as: person.as })).status).toBe(403);
  expect((await send(cohort, 'ada@example.gov', { as: {} })).status).toBe(401);
  expect((await send(newId(), 'ada@example.gov')).status).toBe(404);
  expect((await send('x', 'ada@example.gov')).status).toBe(400);
});

it('refuses to read a file for an archived cohort, or to upload a draft made before', async () => {
  const cohort = await makeCohort(test);
  const { body: draft } = await send(cohort, 'Email\nnew@example.gov');
  await db.updateTable('cohorts').set({ archived_at: new Date() }).where('id', '=', cohort).execute();
  const read = await send(cohort, 'Email\nnew@example.gov');
  const confirmed = await test.call(confirmDraft, admin.as, { ...draftOf(cohort, draft), body: { slug: 'late' } });
  for (const { status, body } of [read, confirmed]) expect([status, body.code]).toEqual([409, 'admin.cohort_archived']);
});
