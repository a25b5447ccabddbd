import { addCohortUser, createUpload, listCohorts, readCohort } from '@officium/contract/admin';
import * as lifecycle from '@officium/contract/cohort-lifecycle';
import { readUpload, resendInvitations, searchInvitations } from '@officium/contract/cohorts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { claimCohorts } from '#server/areas/auth/cohort-claim.repository.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { placeChunkJob } from './upload.jobs.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const CLOSED: NonNullable<Parameters<typeof makeCourse>[1]> = {
  type: 'Private',
  scopes: { canView: 'private', canJoin: 'private' },
  journeys: [{ privacy: 'closed-private' }],
};
const call = async (endpoint: Parameters<typeof test.call>[0], id: string, more: object = {}) =>
  await test.call(endpoint, admin.as, { params: { id }, ...more });
const archive = async (id: string) => expect((await call(lifecycle.archiveCohort, id)).status).toBe(200);
const remove = async (id: string, name: string) => await call(lifecycle.deleteCohort, id, { body: { name } });
const invite = async (cohort: string, email: string) =>
  expect((await call(addCohortUser, cohort, { body: { email } })).status).toBe(204);
const rowsOf = async (table: 'cohort_members' | 'cohort_invitations' | 'cohort_uploads', cohort: string) =>
  await db.selectFrom(table).selectAll().where('cohort_id', '=', cohort).execute();
const actionsOn = async (object: string) =>
  (await db.selectFrom('audit_log').select(['action', 'detail']).where('object', '=', object).orderBy('id').execute())
    .filter(({ action }) => action !== 'admin.read-addresses')
    .map(({ action, detail }) => [action, detail]);

describe('renameCohort', () => {
  it('changes the name and records both', async () => {
    const id = await makeCohort(test, { name: 'Old name' });
    const renamed = await call(lifecycle.renameCohort, id, { body: { name: ' New name ' } });
    expect(lifecycle.renameCohort.replies[200].parse(renamed.body)).toEqual(renamed.body);
    expect((await call(readCohort, id)).body.name).toBe('New name');
    await call(lifecycle.renameCohort, id, { body: { name: 'New name' } });
    expect(await actionsOn(id)).toEqual([['admin.rename-cohort', { former: 'Old name', renamed: 'New name' }]]);
  });

  it('refuses an empty name and an unknown cohort', async () => {
    const id = await makeCohort(test);
    expect((await call(lifecycle.renameCohort, id, { body: { name: ' ' } })).status).toBe(400);
    expect((await call(lifecycle.renameCohort, newId(), { body: { name: 'x' } })).status).toBe(404);
  });
});

describe('archiveCohort and reopenCohort', () => {
  it('move a cohort between the lists, once each', async () => {
    const id = await makeCohort(test, { name: 'Archived soon' });
    const listed = async (endpoint: typeof listCohorts, match: string) =>
      (await test.call(endpoint, admin.as, { query: { match } })).body.cohorts.map((one: { id: string }) => one.id);
    const archived = lifecycle.listArchivedCohorts as unknown as typeof listCohorts; // the same query and reply
    const totalBefore = (await test.call(listCohorts, admin.as, {})).body.total;
    for (let nth = 0; nth < 2; nth++) await archive(id);
    expect([await listed(listCohorts, 'archived soon'), await listed(archived, 'archived soon')]).toEqual([[], [id]]);
    expect((await test.call(listCohorts, admin.as, {})).body.total).toBe(totalBefore - 1);
    expect((await test.call(archived, admin.as, {})).body.total).toBe(1);
    expect((await call(readCohort, id)).body.archivedAt).toEqual(expect.any(String));
    for (let nth = 0; nth < 2; nth++) expect((await call(lifecycle.reopenCohort, id)).status).toBe(200);
    expect([await listed(listCohorts, 'archived soon'), await listed(archived, 'archived soon')]).toEqual([[id], []]);
    expect((await call(readCohort, id)).body).not.toHaveProperty('archivedAt');
    expect(await actionsOn(id)).toEqual([
      ['admin.archive-cohort', {}],
      ['admin.reopen-cohort', { added: 0 }],
    ]);
  });

  it('refuse new people, uploads and mails with 409, and unknown cohorts with 404', async () => {
    const id = await makeCohort(test);
    await archive(id);
    const refused = [
      await call(addCohortUser, id, { body: { email: 'late@example.gov' } }),
      await call(createUpload, id, { body: { slug: 'late', emails: ['late@example.gov'] } }),
      await call(resendInvitations, id, { body: {} }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'admin.cohort_archived']);
    expect(await rowsOf('cohort_invitations', id)).toEqual([]);
    for (const endpoint of [lifecycle.archiveCohort, lifecycle.reopenCohort, lifecycle.previewCohortDeletion])
      expect((await call(endpoint, newId())).status).toBe(404);
  });

  it('keep invitations waiting until the cohort is reopened', async () => {
    const id = await makeCohort(test);
    const person = await makePerson(test, { isProven: false });
    await invite(id, person.email);
    await archive(id);
    await db.updateTable('users').set({ email_proven_at: new Date() }).where('id', '=', person.id).execute();
    await inTransaction(db, (trx) => claimCohorts(trx, { userId: person.id, email: person.email }));
    expect([await rowsOf('cohort_members', id), await rowsOf('cohort_invitations', id)]).toMatchObject([[], [{}]]);
    await call(lifecycle.reopenCohort, id);
    expect(await rowsOf('cohort_members', id)).toMatchObject([{ user_id: person.id, by_hand: true }]);
    expect(await rowsOf('cohort_invitations', id)).toEqual([]);
    const notified = db.selectFrom('notifications').select(['event', 'object_id']).where('user_id', '=', person.id);
    expect(await notified.execute()).toEqual([{ event: 'cohort_membership', object_id: id }]);
  });

  it('finish an upload that was accepted before', async () => {
    const id = await makeCohort(test);
    await call(createUpload, id, { body: { slug: 'early', emails: ['early.bird@example.gov'] } });
    await archive(id);
    await test.drain();
    expect(await rowsOf('cohort_invitations', id)).toMatchObject([{ email: 'early.bird@example.gov' }]);
  });
});

describe('deleteCohort', () => {
  it('shows what it removes, ends access at once, and removes the rest in a job', async () => {
    const course = await makeCourse(test, CLOSED);
    const name = 'Given up';
    const id = await makeCohort(test, { name, products: [course.id] });
    const member = await makePerson(test);
    await putInCohort(test, id, member);
    await enrol(test, member, course.journey);
    await invite(id, 'never.mailed@example.gov');
    await call(createUpload, id, { body: { slug: 'list', emails: ['by.upload@example.gov'] } });
    await test.drain();
    const preview = await call(lifecycle.previewCohortDeletion, id);
    expect(lifecycle.previewCohortDeletion.replies[200].parse(preview.body)).toEqual(preview.body);
    expect(preview.body).toEqual({
      id,
      name,
      members: 1,
      invitations: 2,
      uploads: 1,
      waiting: 0,
      products: 1,
      enrolments: 1,
    });
    expect(await remove(id, 'Given')).toMatchObject({ status: 400, body: { issues: [{ path: 'name' }] } });
    expect((await remove(id, ` ${name} `)).status).toBe(204);
    const { rows } = await sql<{ granted: boolean }>`select is_granted(${member.id}, ${course.id}) as granted`.execute(
      db,
    );
    expect(rows).toEqual([{ granted: false }]);
    for (const endpoint of [readCohort, searchInvitations, lifecycle.searchCohortMembers, lifecycle.archiveCohort])
      expect((await call(endpoint, id)).status).toBe(404);
    expect((await remove(id, name)).status).toBe(404);
    expect((await test.call(listCohorts, admin.as, { query: { match: name } })).body.total).toBe(0);
    await test.drain();
    expect(await db.selectFrom('cohorts').select('id').where('id', '=', id).execute()).toEqual([]);
    expect(await rowsOf('cohort_members', id)).toEqual([]);
    expect((await actionsOn(id)).at(-1)).toEqual([
      'admin.delete-cohort',
      { former: name, members: 1, invitations: 2, products: 1 },
    ]);
    const { rows: places } = await sql<{ status: string }>`
      select enrolment_status(status, expires_on) as status from journey_enrolments where user_id = ${member.id}`.execute(
      db,
    );
    expect(places).toEqual([{ status: 'expired' }]);
  });

  it('keeps enrolments that another cohort allows', async () => {
    const course = await makeCourse(test, CLOSED);
    const [id, other] = [
      await makeCohort(test, { name: 'One', products: [course.id] }),
      await makeCohort(test, { products: [course.id] }),
    ];
    const member = await makePerson(test);
    for (const cohort of [id, other]) await putInCohort(test, cohort, member);
    await enrol(test, member, course.journey);
    await remove(id, 'One');
    await test.drain();
    const { rows } = await sql<{ status: string }>`
      select enrolment_status(status, expires_on) as status from journey_enrolments where user_id = ${member.id}`.execute(
      db,
    );
    expect(rows).toEqual([{ status: 'enrolled' }]);
  });

  it('stops a running upload, whose later parts place nobody', async () => {
    const name = 'Stopped';
    const id = await makeCohort(test, { name });
    const emails = Array.from({ length: 300 }, (_, nth) => `stopped-${nth}@example.gov`);
    const { body } = await call(createUpload, id, { body: { slug: 'list', emails } });
    const { uploadId } = body;
    const parts = [0, 100, 200].map((first) => ({ uploadId, first, last: first + 99 }));
    await Promise.all([
      ...parts.map((part) => placeChunkJob.run(test.ctx, part)),
      remove(id, name).then(({ status }) => expect(status).toBe(204)),
    ]);
    await test.drain();
    const { rows } = await sql<{ rows: number; mails: number }>`
      select (select count(*)::int from cohort_invitations where email like 'stopped-%') as rows,
        (select count(*)::int from mails where recipient like 'stopped-%' and status = 'waiting') as mails`.execute(db);
    expect(rows).toMatchObject([{ rows: 0 }]);
    expect((await test.call(readUpload, admin.as, { params: { id, uploadId } })).status).toBe(404);
    expect(await rowsOf('cohort_uploads', id)).toEqual([]);
  });

  it('leaves nothing behind when someone is added at the same time', async () => {
    for (let nth = 0; nth < 5; nth++) {
      const name = `Race ${nth}`;
      const id = await makeCohort(test, { name });
      const [added, removed] = await Promise.all([
        call(addCohortUser, id, { body: { email: `race-${nth}@example.gov` } }),
        remove(id, name),
      ]);
      expect(removed.status).toBe(204);
      expect([204, 404]).toContain(added.status);
      await test.drain();
      expect(await rowsOf('cohort_invitations', id)).toEqual([]);
    }
  });
});

describe('searchCohortMembers', () => {
  it('sorts by name and by day of joining, in pages that neither repeat nor skip anyone', async () => {
    const id = await makeCohort(test);
    for (const name of ['bea', 'Ada', 'Bea', 'cy', 'Dov'])
      await putInCohort(
        test,
        id,
        await makePerson(test, { name, role: name === 'cy' ? 'inactive' : 'public-servant' }),
      );
    const names = async (sort: string) => {
      const seen: string[] = [];
      for (let continuationToken: string | undefined; ;) {
        const { body } = await call(lifecycle.searchCohortMembers, id, {
          query: { sort, limit: 2, ...(continuationToken ? { continuationToken } : {}) },
        });
        expect(lifecycle.searchCohortMembers.replies[200].parse(body)).toEqual(body);
        seen.push(...body.members.map((one: { name: string }) => one.name));
        continuationToken = body.continuationToken;
        if (!continuationToken) return seen;
      }
    };
    expect(await names('name')).toEqual(['Ada', 'bea', 'Bea', 'cy', 'Dov']);
    expect(await names('-name')).toEqual(['Dov', 'cy', 'Bea', 'bea', 'Ada']);
    expect(await names('joinedAt')).toEqual(['bea', 'Ada', 'Bea', 'cy', 'Dov']);
    expect(await names('-joinedAt')).toEqual(['Dov', 'cy', 'Bea', 'Ada', 'bea']);
  });

  it.each([{ sort: 'email' }, { continuationToken: 'x' }, { limit: 1001 }])('refuses %j', async (query) => {
    expect((await call(lifecycle.searchCohortMembers, await makeCohort(test), { query })).status).toBe(400);
  });
});

describe('searchInvitations', () => {
  it('sorts by address and by the last mail, in pages', async () => {
    const id = await makeCohort(test);
    for (const email of ['b.sorted@example.gov', 'a.sorted@example.gov', 'c.sorted@example.gov'])
      await invite(id, email);
    await sql`update cohort_invitations set sent_again_at = now() + interval '1 hour' where email = 'a.sorted@example.gov'`.execute(
      db,
    );
    const addresses = async (sort: string) => {
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const { body } = await call(searchInvitations, id, { query: { sort, limit: 1, ...(after ? { after } : {}) } });
        const [one] = body.invitations;
        seen.push(one.email[0]);
        after = one.id;
        if (!body.hasMore) return seen.join('');
      }
    };
    expect(await addresses('email')).toBe('abc');
    expect(await addresses('-email')).toBe('cba');
    expect(await addresses('createdAt')).toBe('bac');
    expect(await addresses('-createdAt')).toBe('cab');
    expect(await addresses('sentAt')).toBe('bca');
    expect(await addresses('-sentAt')).toBe('acb');
  });
});
