import { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction, newId } from '#server/db/client.ts';
import { eraseUser } from '#server/areas/auth/user.service.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { placeChunkJob } from './upload.jobs.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator', locale: 'de' });

const upload = (cohort: string, emails: unknown, slug: unknown = 'spring-2027') =>
  test.call(createUpload, admin.as, { params: { id: cohort }, body: { slug, emails } });

async function placesIn(cohort: string): Promise<{ members: string[]; invited: string[] }> {
  const members = await sql<{ email: string }>`
    select u.email from cohort_members m join users u on u.id = m.user_id where m.cohort_id = ${cohort} order by 1`.execute(
    test.ctx.db,
  );
  const invited = await sql<{ email: string }>`
    select email from cohort_invitations where cohort_id = ${cohort} order by 1`.execute(test.ctx.db);
  return { members: members.rows.map((row) => row.email), invited: invited.rows.map((row) => row.email) };
}

const addressesOf = (cohort: string, uploadId: string, query: Record<string, unknown> = {}) =>
  test.call(listUploadAddresses, admin.as, { params: { id: cohort, uploadId }, query });

const stateOf = async (cohort: string) =>
  (await test.call(listUploads, admin.as, { params: { id: cohort } })).body.uploads[0];

describe('createUpload', () => {
  it('returns at once, and adds or invites each distinct address', async () => {
    const cohort = await makeCohort(test);
    const proven = await makePerson(test, { email: 'proven.one@example.gov' });
    const unproven = await makePerson(test, { isProven: false, locale: 'fr', email: 'unproven.one@example.gov' });
    const inactive = await makePerson(test, { role: 'inactive', email: 'inactive.one@example.gov' });
    const emails = [
      'Proven.One@example.gov',
      'new.one@example.gov',
      'NEW.one@example.gov',
      unproven.email,
      inactive.email,
    ];
    const accepted = await upload(cohort, emails);
    expect(accepted.status).toBe(202);
    expect(createUpload.replies[202].parse(accepted.body)).toEqual(accepted.body);
    expect(accepted.body.cohortId).toBe(cohort);
    expect(await stateOf(cohort)).toMatchObject({ status: 'processing', total: 4 });
    await test.drain();
    expect(await placesIn(cohort)).toEqual({
      members: [proven.email],
      invited: ['new.one@example.gov', unproven.email],
    });
    const listed = await test.call(listUploads, admin.as, { params: { id: cohort } });
    expect(listUploads.replies[200].parse(listed.body)).toEqual(listed.body);
    expect(listed.body).toMatchObject({
      total: 1,
      uploads: [
        { slug: 'spring-2027', status: 'done', total: 4, outcomes: { added: 1, invited: 2, already: 0, invalid: 1 } },
      ],
    });
    expect((await test.mails('new.one@example.gov')).map(({ kind, locale }) => [kind, locale])).toEqual([
      ['cohort_invitation', 'de'],
    ]);
    expect((await test.mails(unproven.email)).map(({ locale }) => locale)).toEqual(['fr']);
    expect(await test.mails(proven.email)).toEqual([]);
    const addresses = await addressesOf(cohort, accepted.body.uploadId);
    expect(listUploadAddresses.replies[200].parse(addresses.body)).toEqual(addresses.body);
    expect(addresses.body).toEqual({
      addresses: [
        { position: 1, email: inactive.email, outcome: 'invalid', reason: 'inactive_account', undone: null },
        { position: 2, email: 'new.one@example.gov', outcome: 'invited', reason: null, undone: null },
        { position: 3, email: proven.email, outcome: 'added', reason: null, undone: null },
        { position: 4, email: unproven.email, outcome: 'invited', reason: null, undone: null },
      ],
      total: 4,
    });
  });

  it('mails soon, but a large upload only after all addresses are placed', async () => {
    const cohort = await makeCohort(test);
    const due = async (like: string) =>
      (
        await sql<{ seconds: number }>`
          select distinct round(extract(epoch from j.start_after - j.created_on))::int as seconds
          from jobs.job j join mails m on j.data -> 'mailIds' ? m.id::text where m.recipient like ${like}`.execute(
          test.ctx.db,
        )
      ).rows.map(({ seconds }) => seconds);
    for (const [name, count] of [
      ['few', 100],
      ['more', 101],
    ] as const)
      await upload(
        cohort,
        Array.from({ length: count }, (_, nth) => `${name}-${nth}@example.gov`),
      );
    await test.drain();
    expect([await due('few-%'), await due('more-%')]).toEqual([[0], [120]]);
  });

  it('changes nothing the second time', async () => {
    const cohort = await makeCohort(test);
    const emails = ['twice.a@example.gov', 'twice.b@example.gov'];
    await upload(cohort, emails);
    await test.drain();
    const before = await placesIn(cohort);
    await upload(
      cohort,
      emails.map((email) => email.toUpperCase()),
    );
    await test.drain();
    expect(await placesIn(cohort)).toEqual(before);
    expect((await stateOf(cohort)).outcomes).toEqual({ added: 0, invited: 0, already: 2, invalid: 0 });
    expect(await test.mails('twice.a@example.gov')).toHaveLength(1);
  });

  it('is exact when parts of two equal uploads run twice and in parallel', async () => {
    const cohort = await makeCohort(test);
    const emails = Array.from({ length: 1200 }, (_, nth) => `many-${nth}@example.gov`);
    const ids = [(await upload(cohort, emails)).body.uploadId, (await upload(cohort, emails)).body.uploadId];
    const parts = ids.flatMap((uploadId: string) =>
      [0, 500, 1000].map((first) => ({ uploadId, first, last: first + 499 })),
    );
    await Promise.all([...parts, ...parts].map((part) => placeChunkJob.run(test.ctx, part)));
    await test.drain();
    expect((await placesIn(cohort)).invited).toEqual(emails.toSorted());
    const { rows } = await sql<{ outcome: string; n: number }>`
      select outcome, count(*)::int as n from cohort_upload_rows where upload_id = any(${ids}::uuid[]) group by 1 order by 1`.execute(
      test.ctx.db,
    );
    expect(rows).toEqual([
      { outcome: 'already', n: 1200 },
      { outcome: 'invited', n: 1200 },
    ]);
    const mails = await sql<{ n: number }>`select count(*)::int as n from mails where recipient like 'many-%'`.execute(
      test.ctx.db,
    );
    expect(mails.rows).toEqual([{ n: 1200 }]);
  }, 60_000);

  it('lists every invalid row, up to 1 000, and stores nothing', async () => {
    const cohort = await makeCohort(test);
    const some = await upload(cohort, ['a@example.gov', 'nobody', '"x@evil.com x"@example.gov', 'b@example.gov', 7]);
    expect(some.status).toBe(400);
    expect(some.body.issues.map((issue: { path: string }) => issue.path)).toEqual(['emails.1', 'emails.2', 'emails.4']);
    const long = [`${'a'.repeat(65)}@example.gov`, 'x'.repeat(300), `a@${'b.'.repeat(126)}gov`, '\u212Aim@example.gov'];
    expect((await upload(cohort, long)).body.issues).toEqual(
      long.map((_, row) => ({ path: `emails.${row}`, message: 'Must be an e-mail address' })),
    );
    const all = await upload(cohort, Array<string>(3000).fill('nobody'));
    expect(all.body.issues).toHaveLength(1000);
    expect((await test.call(listUploads, admin.as, { params: { id: cohort } })).body.total).toBe(0);
  });

  it.each([
    [[], 'x', 'At least one e-mail address is required'],
    [undefined, 'x', 'emails is required'],
    [['a@example.gov'], 'With Space', undefined],
    [['a@example.gov'], '', undefined],
    [['a@example.gov'], 'x'.repeat(129), undefined],
    [['a\0@example.gov'], 'x', undefined],
    [{ 0: 'a@example.gov' }, 'x', undefined],
  ])('refuses %j with the label %j', async (emails, slug, message) => {
    const reply = await upload(await makeCohort(test), emails, slug);
    expect(reply.status).toBe(400);
    if (message !== undefined) expect(reply.body.message).toBe(message);
  });

  it('lists a row once, even with several errors', async () => {
    const emails = [`${'a'.repeat(65)}@example.gov`, `${'b'.repeat(65)}@no`, `${'c'.repeat(300)}@`];
    const { status, body } = await upload(await makeCohort(test), emails);
    expect(status).toBe(400);
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([0, 1, 2].map((row) => `emails.${row}`));
  });

  it('pages the outcome of each address of an upload in this cohort', async () => {
    const [cohort, other] = [await makeCohort(test), await makeCohort(test)];
    const emails = Array.from({ length: 5 }, (_, nth) => `page-${nth}@example.gov`);
    const { uploadId } = (await upload(cohort, emails)).body;
    const waiting = await addressesOf(cohort, uploadId, { limit: 2, after: 2 });
    expect(waiting.body).toMatchObject({ addresses: [{ position: 3, outcome: null }, { position: 4 }], total: 5 });
    await test.drain();
    expect((await addressesOf(cohort, uploadId, { outcome: 'invited', after: 4 })).body).toMatchObject({
      addresses: [{ email: 'page-4@example.gov' }],
      total: 5,
    });
    expect((await addressesOf(cohort, uploadId, { outcome: 'added' })).body).toEqual({ addresses: [], total: 0 });
    expect((await addressesOf(cohort, uploadId, { after: 999_999_999 })).body).toEqual({ addresses: [], total: 5 });
    expect((await addressesOf(other, uploadId)).status).toBe(404);
    expect((await addressesOf(cohort, newId())).status).toBe(404);
    for (const query of [{ limit: 0 }, { limit: 1001 }, { after: -1 }, { after: 'x' }, { outcome: 'lost' }])
      expect((await addressesOf(cohort, uploadId, query)).status).toBe(400);
  });

  it('returns 404 for an unknown cohort and 413 above 8 MiB', async () => {
    expect((await upload(newId(), ['a@example.gov'])).status).toBe(404);
    expect((await upload(await makeCohort(test), ['x'.repeat(9 * 1024 * 1024)])).status).toBe(413);
  });

  it('accepts 100 000 addresses at once', async () => {
    const cohort = await makeCohort(test);
    const emails = Array.from(
      { length: 100_000 },
      (_, nth) => `learner.number.${nth}@ministry-${nth % 50}.example.gov`,
    );
    expect((await upload(cohort, emails)).status).toBe(202);
    const { rows } = await sql<{ n: number }>`select count(*) as n from cohort_upload_rows`.execute(test.ctx.db);
    expect(rows[0]?.n).toBeGreaterThanOrEqual(emails.length);
  }, 30_000);
});

it('an erased user is not a member, invited or in any upload, even while one runs', async () => {
  const cohort = await makeCohort(test);
  const people = await Promise.all(Array.from({ length: 20 }, () => makePerson(test)));
  const { uploadId } = (
    await upload(
      cohort,
      people.map((person) => person.email),
    )
  ).body;
  await Promise.all([
    placeChunkJob.run(test.ctx, { uploadId, first: 0, last: 499 }),
    ...people.slice(0, 4).map((person) => inTransaction(test.ctx.db, (trx) => eraseUser(test.ctx, trx, person.id))),
  ]);
  const { members, invited } = await placesIn(cohort);
  expect(invited).toEqual([]);
  expect(members).toEqual(
    people
      .slice(4)
      .map((person) => person.email)
      .toSorted(),
  );
});
