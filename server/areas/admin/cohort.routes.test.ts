import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCohort, listCohorts, readCohort, updateCohort } from '@officium/contract/admin';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';

const test = await createTestApp({ PROVIDER_NAME: 'Learn Well' });
const admin = await makePerson(test, { role: 'administrator' });
const given = { name: ' Spring ', type: 'LEARNERS', primaryPartner: 'City' };

describe('createCohort', () => {
  it('returns the whole cohort, trimmed, with null for omitted fields', async () => {
    const made = await test.call(createCohort, admin.as, { body: { ...given, notes: 'n', funder: null } });
    expect(made.status).toBe(201);
    expect(createCohort.replies[201].parse(made.body)).toEqual(made.body);
    expect(made.body).toMatchObject({
      name: 'Spring',
      type: 'LEARNERS',
      primaryPartner: 'City',
      notes: 'n',
      funder: null,
      bookingCode: null,
      total: { members: 0, invitations: 0 },
    });
    const log = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', made.body.id).execute();
    expect(log).toMatchObject([{ action: 'admin.create-cohort', actor: admin.id }]);
  });

  it.runIf(hasSharedData)('keeps names with quotes, commas and ampersands unchanged', async () => {
    const text = await readFile(join(SHARED_DATA, 'domains-dotgov/domains.csv'), 'utf8');
    const odd = text.split('\n').filter((line) => /["&]/.test(line));
    expect(odd.length).toBeGreaterThan(0);
    for (const name of odd.map((line) => line.slice(0, 256).trim())) {
      const body = { ...given, name, funder: name };
      const made = await test.call(createCohort, admin.as, { body });
      const read = await test.call(readCohort, admin.as, { params: { id: made.body.id } });
      expect(read.body).toMatchObject({ name, funder: name });
      const found = await test.call(listCohorts, admin.as, { query: { match: name } });
      expect(found.body).toMatchObject({ total: 1, cohorts: [{ id: made.body.id, name }] });
    }
  });

  it('accepts the staff type of this provider only', async () => {
    const create = (type: unknown) => test.call(createCohort, admin.as, { body: { ...given, type } });
    expect((await create('LEARN_WELL_STAFF')).status).toBe(201);
    for (const type of ['OFFICIUM_STAFF', 'learners', '', null, 7, ['LEARNERS']])
      expect((await create(type)).body.issues).toMatchObject([{ path: 'type' }]);
  });

  it.each([
    [{}, 'name is required'],
    [{ ...given, name: '  ' }, 'Name must have at least 1 character'],
    [{ ...given, primaryPartner: '' }, 'Primary partner must have at least 1 character'],
    [{ ...given, name: 'a\0b' }, 'Text must not contain null characters or unpaired surrogates'],
    [{ ...given, name: 'x'.repeat(300) }, 'Name must have at most 256 characters'],
  ])('refuses %j', async (body, message) => {
    expect(await test.call(createCohort, admin.as, { body })).toMatchObject({ status: 400, body: { message } });
  });

  it('is allowed only to administrators', async () => {
    const person = await makePerson(test);
    expect((await test.call(createCohort, {}, { body: given })).status).toBe(401);
    expect((await test.call(createCohort, person.as, { body: given })).status).toBe(403);
  });
});

describe('readCohort', () => {
  it('counts members and invitations', async () => {
    const id = await makeCohort(test);
    await putInCohort(test, id, await makePerson(test));
    await sql`insert into cohort_invitations (id, cohort_id, email) values (${newId()}, ${id}, 'a@b.gov'), (${newId()}, ${id}, 'c@b.gov')`.execute(
      test.ctx.db,
    );
    const read = await test.call(readCohort, admin.as, { params: { id } });
    expect(readCohort.replies[200].parse(read.body)).toEqual(read.body);
    expect(read.body.total).toEqual({ members: 1, invitations: 2 });
  });

  it('returns 404 with a message for an unknown cohort and 400 for a malformed id', async () => {
    expect(await test.call(readCohort, admin.as, { params: { id: newId() } })).toMatchObject({
      status: 404,
      body: { message: 'Not found.' },
    });
    expect((await test.call(readCohort, admin.as, { params: { id: 'x' } })).status).toBe(400);
  });
});

describe('updateCohort', () => {
  it('changes only the named fields', async () => {
    const { body: made } = await test.call(createCohort, admin.as, { body: { ...given, notes: 'old', funder: 'F' } });
    const change = { type: 'OTHER', notes: null, supportContact: 'help@city.gov' };
    const changed = await test.call(updateCohort, admin.as, { params: { id: made.id }, body: change });
    expect(changed.status).toBe(200);
    expect(updateCohort.replies[200].parse(changed.body)).toEqual(changed.body);
    expect(changed.body).toEqual({ ...made, ...change, updatedAt: changed.body.updatedAt });
    expect((await test.call(updateCohort, admin.as, { params: { id: made.id }, body: {} })).status).toBe(200);
  });

  it.each([
    [{ name: 'Other' }, 'The name of a cohort cannot be changed'],
    [{ name: null }, 'The name of a cohort cannot be changed'],
    [{ primaryPartner: ' ' }, 'Primary partner must have at least 1 character'],
  ])('refuses %j', async (body, message) => {
    const id = await makeCohort(test);
    expect(await test.call(updateCohort, admin.as, { params: { id }, body })).toMatchObject({
      status: 400,
      body: { message },
    });
    expect((await test.call(updateCohort, admin.as, { params: { id }, body: { type: 'NONE' } })).status).toBe(400);
  });

  it('returns 404 for an unknown cohort', async () => {
    expect((await test.call(updateCohort, admin.as, { params: { id: newId() }, body: { notes: 'n' } })).status).toBe(
      404,
    );
  });
});

describe('listCohorts', () => {
  const list = async (query: Record<string, unknown>) => await test.call(listCohorts, admin.as, { query });
  const names = async (query: Record<string, unknown>) =>
    (await list(query)).body.cohorts.map((cohort: { name: string }) => cohort.name);

  it('sorts, pages and returns the total', async () => {
    for (const name of ['list b', 'list a', 'list c']) await makeCohort(test, { name });
    expect(await names({ match: 'LIST', sort: 'name' })).toEqual(['list a', 'list b', 'list c']);
    expect(await names({ match: 'list', sort: '-name' })).toEqual(['list c', 'list b', 'list a']);
    expect(await names({ match: 'list', sort: 'createdAt' })).toEqual(['list b', 'list a', 'list c']);
    expect(await names({ match: 'list', sort: '-createdAt' })).toEqual(['list c', 'list a', 'list b']);
    await makeCohort(test, { name: 'List B' });
    expect(await names({ match: ' list ', sort: 'name' })).toEqual(['list a', 'List B', 'list b', 'list c']);
    expect(await names({ match: 'list', sort: '-name' })).toEqual(['list c', 'list b', 'List B', 'list a']);
    const page = await list({ match: 'list', sort: 'name', limit: 1, offset: 2 });
    expect(listCohorts.replies[200].parse(page.body)).toEqual(page.body);
    expect(page.body).toMatchObject({ cohorts: [{ name: 'list b' }], total: 4 });
    expect(page.body.cohorts[0]).not.toHaveProperty('liveStats');
  });

  it('treats % _ and \\ as literal characters', async () => {
    for (const name of ['100% sure', 'snake_case', 'back\\slash']) await makeCohort(test, { name });
    expect(await names({ match: '%' })).toEqual(['100% sure']);
    expect(await names({ match: '_' })).toEqual(['snake_case']);
    expect(await names({ match: '\\' })).toEqual(['back\\slash']);
  });

  it('adds current figures on request', async () => {
    const id = await makeCohort(test, { name: 'lively' });
    await putInCohort(test, id, await makePerson(test));
    expect((await list({ match: 'lively', withLiveStats: 'true' })).body.cohorts[0].liveStats).toEqual({
      members: 1,
      invitations: 0,
      products: 0,
    });
    expect((await list({ match: 'lively', withLiveStats: 'false' })).body.cohorts[0]).not.toHaveProperty('liveStats');
  });

  it.each([
    { limit: 0 },
    { limit: -1 },
    { limit: 101 },
    { limit: 'x' },
    { offset: -1 },
    { offset: 10_001 },
    { sort: 'id' },
    { sort: 'name;drop' },
    { withLiveStats: 'yes' },
    { match: 'x'.repeat(257) },
  ])('refuses %j', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});
