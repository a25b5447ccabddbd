import {
  createBulkEnrolment,
  listBulkEnrolments,
  readBulkEnrolment,
  updateBulkEnrolment,
} from '@officium/contract/people-records';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { expireRecordsJob } from './enrolment.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const service = { serviceKey: SERVICE_KEY };
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const PAST = new Date(Date.now() - 60_000).toISOString();
const newAddress = () => `record-${newId().slice(-12)}@example.gov`;

async function make(fields: object = {}): Promise<any> {
  // any: tests read the reply
  const { slug } = await makeCourse(test);
  const body = { email: newAddress(), type: 'courses', slug, ...fields };
  const answer = await test.call(createBulkEnrolment, service, { body });
  expect(answer.status).toBe(201);
  return createBulkEnrolment.replies[201].parse(answer.body);
}
const update = (id: string, body: object) => test.call(updateBulkEnrolment, service, { params: { id }, body });

describe('bulk-enrolment records', () => {
  it('are created from either form of body and read back', async () => {
    const metadata = { locale: 'fr', expiresOn: FUTURE, freeCourse: true, courseType: 'Public' };
    const record = await make({ metadata });
    expect(record).toMatchObject({ status: 'created', type: 'courses', metadata });
    const read = await test.call(readBulkEnrolment, service, { params: { id: record.id } });
    expect([read.status, readBulkEnrolment.replies[200].parse(read.body)]).toEqual([200, record]);
    const { slug } = await makeCourse(test);
    const item = { type: 'courses', slug, enrolmentMetadata: { journeySlug: 'foundations' } };
    const body = { email: newAddress(), enrolments: [item], status: 'pending' };
    const other = await test.call(createBulkEnrolment, service, { body });
    expect([other.status, other.body.slug, other.body.status]).toEqual([201, slug, 'pending']);
    const named = { email: newAddress(), type: 'courses', metadata: { courseSlug: slug } };
    expect((await test.call(createBulkEnrolment, service, { body: named })).body.slug).toBe(slug);
  });

  it('are unique per address and target under concurrent requests', async () => {
    const { slug } = await makeCourse(test);
    const body = { email: newAddress(), type: 'courses', slug };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(createBulkEnrolment, service, { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('are listed by address, status and type', async () => {
    const record = await make({ status: 'pending' });
    const list = async (query: Record<string, string>) =>
      listBulkEnrolments.replies[200].parse((await test.call(listBulkEnrolments, service, { query })).body);
    const { email } = record;
    expect(await list({ email })).toEqual({ bulkEnrolments: [record], total: 1 });
    expect((await list({ email, status: 'pending', type: 'courses' })).total).toBe(1);
    expect((await list({ email, status: 'enrolled' })).total).toBe(0);
    expect((await list({ email, type: 'communities' })).total).toBe(0);
    for (const query of [{ limit: '0' }, { limit: '101' }, { offset: '-1' }, { status: 'gone' }, { email: 'x' }])
      expect((await test.call(listBulkEnrolments, service, { query })).status).toBe(400);
  });

  it('are listed and counted by their current status before the expiry job stores it', async () => {
    await sql`
      insert into bulk_enrolments (id, email, type, slug, status, expires_on)
      select gen_random_uuid(), 'clock-' || row_number() over () || '@example.org', type, 'clock', status, now() + days * interval '1 day'
      from unnest(array['courses', 'communities']) type, unnest(array['created', 'pending', 'enrolled', 'expired']) status,
        unnest(array[-3, 3, null]) days`.execute(db);
    const { rows } = await sql<{ id: string; type: string; status: string }>`
      select id, type, enrolment_status(status, expires_on) as status from bulk_enrolments order by id desc`.execute(
      db,
    );
    for (const status of [undefined, 'created', 'pending', 'enrolled', 'expired'])
      for (const type of [undefined, 'courses', 'communities']) {
        const query = { ...(status ? { status } : {}), ...(type ? { type } : {}) };
        const wanted = rows
          .filter((row) => row.status === (status ?? row.status) && row.type === (type ?? row.type))
          .map(({ id }) => id);
        const listed: string[] = [];
        for (let offset = 0; offset < wanted.length; offset += 4) {
          const { body } = await test.call(listBulkEnrolments, service, {
            query: { ...query, limit: '4', offset: `${offset}` },
          });
          expect([query, body.total]).toEqual([query, wanted.length]);
          listed.push(...body.bulkEnrolments.map(({ id }: { id: string }) => id));
        }
        expect([query, listed]).toEqual([query, wanted]);
      }
    await sql`delete from bulk_enrolments where slug = 'clock'`.execute(db);
  });

  it('move forward through the statuses and never back', async () => {
    const record = await make();
    for (const status of ['pending', 'pending', 'enrolled']) {
      const answer = await update(record.id, { status });
      expect([answer.status, updateBulkEnrolment.replies[200].parse(answer.body).status]).toEqual([200, status]);
    }
    for (const status of ['pending', 'created']) {
      const answer = await update(record.id, { status });
      expect([answer.status, answer.body.code]).toEqual([409, 'enrolment.backwards']);
    }
    expect((await update(record.id, { status: 'expired' })).body.status).toBe('expired');
    expect((await update(record.id, { status: 'enrolled' })).status).toBe(409);
    expect((await update(record.id, { metadata: { expiresOn: FUTURE } })).body.status).toBe('enrolled');
  });

  describe('status change', () => {
    const STATUSES = ['created', 'pending', 'enrolled', 'expired'] as const;
    const moves = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));
    it.each(moves)('%s to %s follows the order of the statuses', async (from, to) => {
      const record = await make({ status: from });
      const allowed = STATUSES.indexOf(to) >= STATUSES.indexOf(from);
      const answer = await update(record.id, { status: to });
      if (allowed) expect([answer.status, answer.body.status]).toEqual([200, to]);
      else expect([answer.status, answer.body.code]).toEqual([409, 'enrolment.backwards']);
      const read = await test.call(readBulkEnrolment, service, { params: { id: record.id } });
      expect(read.body.status).toBe(allowed ? to : from);
    });

    it.each([
      [{ status: 'enrolled' }, 409],
      [{ status: 'enrolled', metadata: {} }, 409],
      [{ status: 'enrolled', metadata: { locale: 'fr' } }, 409],
      [{ status: 'enrolled', metadata: { expiresOn: PAST } }, 409],
      [{ status: 'pending', metadata: { expiresOn: FUTURE } }, 409],
      [{ status: 'created', metadata: { expiresOn: null } }, 409],
      [{ status: 'enrolled', metadata: { expiresOn: FUTURE } }, 200],
      [{ status: 'enrolled', metadata: { expiresOn: null } }, 200],
      [{ metadata: { expiresOn: FUTURE } }, 200],
    ])('updating an expired record with %j returns %i', async (change, status) => {
      const record = await make({ status: 'expired' });
      const answer = await update(record.id, change);
      expect([answer.status, answer.body.status]).toEqual(status === 200 ? [200, 'enrolled'] : [409, undefined]);
      const read = await test.call(readBulkEnrolment, service, { params: { id: record.id } });
      expect(read.body.status).toBe(status === 200 ? 'enrolled' : 'expired');
    });
  });

  it('expire by the database clock before any job runs, and return with a new end date', async () => {
    const record = await make({ status: 'enrolled', metadata: { expiresOn: FUTURE } });
    await db.updateTable('bulk_enrolments').set({ expires_on: PAST }).where('id', '=', record.id).execute();
    const read = async () => (await test.call(readBulkEnrolment, service, { params: { id: record.id } })).body.status;
    expect(await read()).toBe('expired');
    await expireRecordsJob.run(test.ctx, {});
    expect(await read()).toBe('expired');
    expect((await update(record.id, { status: 'enrolled', metadata: { expiresOn: PAST } })).status).toBe(409);
    const back = await update(record.id, { status: 'enrolled', metadata: { expiresOn: FUTURE } });
    expect([back.status, back.body.status]).toEqual([200, 'enrolled']);
  });

  it('copy their end date to the granted enrolment', async () => {
    const maya = await makePerson(test);
    const record = await make({ email: maya.email, status: 'enrolled' });
    const enrolmentOf = async () =>
      await db.selectFrom('journey_enrolments').selectAll().where('user_id', '=', maya.id).executeTakeFirstOrThrow();
    expect((await enrolmentOf()).expires_on).toBeNull();
    await update(record.id, { metadata: { expiresOn: FUTURE } });
    expect((await enrolmentOf()).expires_on?.toISOString()).toBe(FUTURE);
    await update(record.id, { status: 'expired' });
    expect((await enrolmentOf()).status).toBe('expired');
  });

  it('refuse malformed, unknown and mismatched targets', async () => {
    const { slug } = await makeCourse(test);
    const good = { email: newAddress(), type: 'courses', slug };
    for (const change of [
      { slug: 'none' },
      { type: 'cats' },
      { type: undefined },
      { slug: undefined },
      { status: 'gone' },
      { extra: 1 },
      { metadata: { extra: 1 } },
      { metadata: { expiresOn: 'soon' } },
      { metadata: { courseType: 'a\0' } },
      { cohortIds: [] },
      { cohortIds: [newId()] },
      { email: 5 },
    ])
      expect((await test.call(createBulkEnrolment, service, { body: { ...good, ...change } })).status).toBe(400);
    const record = await make();
    for (const change of [{ email: newAddress() }, { slug: 'other' }, { type: 'communities' }, { extra: 1 }])
      expect((await update(record.id, change)).status).toBe(400);
    expect((await update(newId(), {})).status).toBe(404);
    expect((await test.call(readBulkEnrolment, service, { params: { id: newId() } })).status).toBe(404);
    expect((await test.call(readBulkEnrolment, service, { params: { id: 'x' } })).status).toBe(400);
  });
});
