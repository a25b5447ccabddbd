import { listIssuedCertificates } from '@officium/contract/issued-certificates';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makeCertificate } from '#server/test/authority/things.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });
const [first, second] = [await makeCourse(test), await makeCourse(test)];

async function holderIn(course: typeof first, set = sql`locale = 'en'`) {
  const person = await makePerson(test);
  await enrol(test, person, course.journey);
  const number = await makeCertificate(test, person, course.journey);
  await sql`update certificates set ${set} where public_id = ${number}`.execute(db);
  return { person, number };
}

const ana = await holderIn(first, sql`issued_at = '2024-03-01T10:00:00Z', expires_at = '2025-03-01T23:59:59Z'`);
const bo = await holderIn(first, sql`issued_at = '2024-03-02T23:30:00Z', expires_at = '2099-03-01T23:59:59Z'`);
const cy = await holderIn(
  second,
  sql`issued_at = '2024-03-03T10:00:00Z', revoked_at = now(), revocation_reason = 'other'`,
);
const all = [cy, bo, ana].map(({ number }) => number);

const list = (as: TestPerson['as'] | undefined, query: Record<string, string> = {}) =>
  test.call(listIssuedCertificates, as, { query });
const numbers = async (as: TestPerson['as'], query: Record<string, string> = {}) =>
  (await list(as, query)).body.certificates.map(({ number }: { number: string }) => number) as string[];

describe('listIssuedCertificates', () => {
  it('lists them newest first, with state and period', async () => {
    const { body } = await list(admin.as);
    expect(body).toMatchObject({ counted: 3, hasMore: false });
    expect(body.certificates.map(({ number, state }: { number: string; state: string }) => [number, state])).toEqual([
      [cy.number, 'revoked'],
      [bo.number, 'valid'],
      [ana.number, 'expired'],
    ]);
    expect(body.certificates[2]).toMatchObject({
      personId: ana.person.id,
      courseSlug: first.slug,
      issuedAt: '2024-03-01T10:00:00.000Z',
      expiresAt: '2025-03-01T23:59:59.000Z',
    });
  });

  it('is filtered by course, cohort, organisation, state and period', async () => {
    await db.updateTable('users').set({ organization: 'City Hall' }).where('id', '=', bo.person.id).execute();
    const cohort = await makeCohort(test, { products: [first.id] });
    for (const { person } of [ana, cy]) await putInCohort(test, cohort, person);
    const cases: [Record<string, string>, string[]][] = [
      [{ course: first.slug }, [bo.number, ana.number]],
      [{ course: 'no-such-course' }, []],
      [{ cohort }, [ana.number]], // the other one has a certificate of something that the cohort does not ask for
      [{ organization: 'city hall' }, [bo.number]],
      [{ state: 'valid' }, [bo.number]],
      [{ state: 'expired' }, [ana.number]],
      [{ state: 'revoked' }, [cy.number]],
      [{ from: '2024-03-02', to: '2024-03-02' }, [bo.number]],
      [{ course: first.slug, state: 'revoked' }, []],
    ];
    for (const [query, expected] of cases)
      expect(await numbers(admin.as, query), JSON.stringify(query)).toEqual(expected);
    expect((await list(admin.as, { state: 'lost' })).status).toBe(400);
    expect((await list(admin.as, { from: '2024-13-01' })).status).toBe(400);
  });

  it('is read in pages by a token', async () => {
    const seen: string[] = [];
    let continuationToken: string | undefined;
    do {
      const { body } = await list(admin.as, { limit: '1', ...(continuationToken ? { continuationToken } : {}) });
      seen.push(...body.certificates.map(({ number }: { number: string }) => number));
      continuationToken = body.continuationToken;
    } while (continuationToken);
    expect(seen).toEqual(all);
    for (const token of ['x', 'AAAAAAAAAAAAAAAAAAAAAA'])
      expect((await list(admin.as, { continuationToken: token })).status).toBe(400);
  });

  it('shows report readers what their places contain, and others nothing', async () => {
    const [ofCourse, ofCohort, stranger] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    const cohort = await makeCohort(test, { products: [second.journey.entryId] });
    for (const { person } of [bo, cy]) await putInCohort(test, cohort, person);
    await assignRoles(test, ofCourse, [{ role: 'report-reader', kind: 'course', id: first.id }]);
    await assignRoles(test, ofCohort, [{ role: 'cohort-manager', kind: 'cohort', id: cohort }]);
    expect(await numbers(ofCourse.as)).toEqual([bo.number, ana.number]);
    expect(await numbers(ofCourse.as, { course: second.slug })).toEqual([]);
    expect((await list(ofCourse.as, { course: second.slug })).body).toMatchObject({ counted: 0 });
    expect(await numbers(ofCohort.as)).toEqual([cy.number]);
    expect(await numbers(ofCohort.as, { course: first.slug })).toEqual([]);
    expect(await numbers(ofCohort.as, { cohort })).toEqual([cy.number]);
    // Members of a cohort are not told apart by somebody who may not read its reports.
    expect((await list(ofCourse.as, { cohort })).status).toBe(404);
    expect([(await list(undefined)).status, (await list(stranger.as)).status]).toEqual([401, 403]);
  });

  it('says that a later certificate follows one, and leaves out those with a former name', async () => {
    const { person, number } = await holderIn(second);
    const replace = (reason: string | null) =>
      sql`update certificates set replaced_by = id, revocation_reason = ${reason},
        revoked_at = case when ${reason}::text is not null then now() end where user_id = ${person.id}`.execute(db);
    await replace(null);
    expect((await list(admin.as, { state: 'renewed' })).body.certificates).toMatchObject([{ number }]);
    await replace('name_corrected');
    expect(await numbers(admin.as)).not.toContain(number);
  });
});
