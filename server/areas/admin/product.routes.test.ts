import {
  listCohortProducts,
  listProducts,
  readProductPermissions,
  registerProduct,
  setCohortProducts,
  setProductPermission,
} from '@officium/contract/admin';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { makeContentFolder } from '#server/test/factories/content.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

const params = (id: string) => ({ params: { id } });

async function makeEntry(contentType = 'microcourse', title = 'Plain words'): Promise<string> {
  const id = `entry-${newId()}`;
  await test.ctx.db
    .insertInto('entries')
    .values({
      id,
      content_type: contentType,
      source: 'webhook',
      slug: JSON.stringify({ en: `slug-${id.slice(-6)}` }),
      fields: JSON.stringify({ title: { en: title, fr: `${title} (fr)` } }),
    })
    .execute();
  return id;
}

async function makeProduct(title?: string): Promise<string> {
  const id = await makeEntry('microcourse', title);
  await test.call(registerProduct, admin.as, params(id));
  return id;
}

const permissionsOf = async (id: string) =>
  (await test.call(readProductPermissions, admin.as, params(id))).body.permissions;
const setPermission = (id: string, permission: unknown, scope: unknown) =>
  test.call(setProductPermission, admin.as, { ...params(id), body: { permission, scope } });

describe('registerProduct', () => {
  it('creates a private product once, also for parallel requests', async () => {
    const id = await makeEntry();
    expect((await test.call(readProductPermissions, admin.as, params(id))).status).toBe(404);
    const calls = Array.from({ length: 10 }, () => test.call(registerProduct, admin.as, params(id)));
    expect((await Promise.all(calls)).map((reply) => reply.status)).toEqual(Array(10).fill(204));
    const read = await test.call(readProductPermissions, admin.as, params(id));
    expect(readProductPermissions.replies[200].parse(read.body)).toEqual(read.body);
    expect(read.body).toEqual({ permissions: { can_view: 'private', can_join: 'private' } });
    await setPermission(id, 'can_view', 'public');
    expect((await test.call(registerProduct, admin.as, { ...params(id), body: {} })).status).toBe(204);
    expect(await permissionsOf(id)).toEqual({ can_view: 'public', can_join: 'private' });
    const log = await test.ctx.db
      .selectFrom('audit_log')
      .select('action')
      .where('object', '=', id)
      .orderBy('id')
      .execute();
    expect(log.map((row) => row.action)).toEqual(['admin.register-product', 'admin.set-permission']);
  });

  it('returns 404 for an unknown entry and 400 for a malformed id', async () => {
    expect((await test.call(registerProduct, admin.as, params('nothing'))).status).toBe(404);
    expect((await test.call(registerProduct, admin.as, params('x y'))).status).toBe(400);
    expect((await test.call(registerProduct, admin.as, params('x'.repeat(65)))).status).toBe(400);
  });
});

describe('setProductPermission', () => {
  it('never allows joining more widely than viewing', async () => {
    const id = await makeProduct();
    expect((await setPermission(id, 'can_join', 'verified')).status).toBe(400);
    expect((await setPermission(id, 'can_view', 'authenticated')).status).toBe(204);
    expect((await setPermission(id, 'can_join', 'authenticated')).status).toBe(204);
    expect((await setPermission(id, 'can_view', 'verified')).body.issues).toMatchObject([{ path: 'scope' }]);
    expect(await permissionsOf(id)).toEqual({ can_view: 'authenticated', can_join: 'authenticated' });
  });

  it('keeps that rule under concurrent changes', async () => {
    for (let nth = 0; nth < 5; nth++) {
      const id = await makeProduct();
      await setPermission(id, 'can_view', 'public');
      const replies = await Promise.all([
        setPermission(id, 'can_view', 'private'),
        setPermission(id, 'can_join', 'authenticated'),
      ]);
      expect(replies.map((reply) => reply.status).toSorted()).toEqual([204, 400]);
    }
  });

  it.each([
    ['can_edit', 'public'],
    ['can_view', 'everyone'],
    [undefined, 'public'],
    ['can_view', undefined],
    ['can_view', 3],
  ])('refuses %s %s', async (permission, scope) => {
    expect((await setPermission(await makeProduct(), permission, scope)).status).toBe(400);
  });

  it('returns 404 for an entry that is not a product', async () => {
    expect((await setPermission(await makeEntry(), 'can_view', 'public')).status).toBe(404);
  });

  it('keeps the permission after the next import', async () => {
    const folder = await makeContentFolder();
    await importPath(test.ctx, folder);
    const { body } = await test.call(listProducts, admin.as, {
      query: { contentType: 'microcourse', match: 'A short letter' },
    });
    const id = body.products[0].id;
    await setPermission(id, 'can_join', 'verified');
    await importPath(test.ctx, folder);
    expect(await permissionsOf(id)).toEqual({ can_view: 'public', can_join: 'verified' });
  });
});

describe('listProducts', () => {
  const list = (query: Record<string, unknown>) => test.call(listProducts, admin.as, { query });

  it('finds by title in any language, slug and id, treats % and _ literally, and pages', async () => {
    const ids = [await makeProduct('Zebra 50% b'), await makeProduct('Zebra 50_ a')];
    const found = await list({ contentType: 'microcourse', match: 'zebra' });
    expect(listProducts.replies[200].parse(found.body)).toEqual(found.body);
    expect(found.body).toMatchObject({
      products: [
        { id: ids[0], contentType: 'microcourse', title: 'Zebra 50% b', permissions: { can_view: 'private' } },
        { id: ids[1] },
      ],
      total: 2,
    });
    const one = async (match: string) =>
      (await list({ contentType: 'microcourse', match })).body.products.map((product: { id: string }) => product.id);
    expect(await one('50_')).toEqual([ids[1]]);
    expect(await one('50% B (FR)')).toEqual([ids[0]]);
    expect(await one(ids[0]!)).toEqual([ids[0]]);
    expect(await one(`slug-${ids[1]!.slice(-6)}`)).toEqual([ids[1]]);
    expect((await list({ contentType: 'academy', match: 'zebra' })).body).toEqual({ products: [], total: 0 });
    const page = await list({ contentType: 'microcourse', match: 'zebra', limit: 1, skip: 1 });
    expect(page.body).toMatchObject({ products: [{ id: ids[1] }], total: 2 });
  });

  it('uses titles and slugs of the catalogue', async () => {
    const course = await makeCourse(test, { journeys: [{ title: { en: 'Journey to find' }, slug: 'to-find' }] });
    expect((await list({ contentType: 'courseJourney', match: '' })).body.products).toContainEqual(
      expect.objectContaining({ id: course.journey.entryId, title: 'Journey to find', slug: 'to-find' }),
    );
  });

  it.each([
    [{ match: '' }],
    [{ contentType: 'microcourse' }],
    [{ contentType: 'course', match: '' }],
    [{ contentType: 'microcourse', match: 'x'.repeat(257) }],
    [{ contentType: 'microcourse', match: '', limit: 0 }],
    [{ contentType: 'microcourse', match: '', limit: 101 }],
    [{ contentType: 'microcourse', match: '', skip: -1 }],
  ])('refuses %j', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe('the products of a cohort', () => {
  const put = (cohort: string, entryIds: unknown) =>
    test.call(setCohortProducts, admin.as, { ...params(cohort), body: { entryIds } });
  const idsIn = async (cohort: string) =>
    (await test.call(listCohortProducts, admin.as, params(cohort))).body.products.map(
      (product: { id: string }) => product.id,
    );

  it('are replaced completely, in the given order', async () => {
    const cohort = await makeCohort(test);
    const [one, two, three] = [await makeProduct(), await makeProduct(), await makeProduct()];
    expect((await put(cohort, [two, one, two])).status).toBe(204);
    const listed = await test.call(listCohortProducts, admin.as, params(cohort));
    expect(listCohortProducts.replies[200].parse(listed.body)).toEqual(listed.body);
    expect(await idsIn(cohort)).toEqual([two, one]);
    expect((await put(cohort, [three, two])).status).toBe(204);
    expect(await idsIn(cohort)).toEqual([three, two]);
    expect((await put(cohort, [])).status).toBe(204);
    expect(await idsIn(cohort)).toEqual([]);
  });

  it('stay unchanged when one id is unknown', async () => {
    const cohort = await makeCohort(test);
    const id = await makeProduct();
    await put(cohort, [id]);
    const refused = await put(cohort, [id, 'unknown-entry']);
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'entryIds.1' }] } });
    for (const wrong of [undefined, 'x', [5], ['x y'], [''], { 0: id }, ['a\0b']])
      expect((await put(cohort, wrong)).status).toBe(400);
    expect(await idsIn(cohort)).toEqual([id]);
  });

  it('are complete after two parallel replacements', async () => {
    const cohort = await makeCohort(test);
    const sets = [
      [await makeProduct(), await makeProduct()],
      [await makeProduct(), await makeProduct()],
    ];
    await Promise.all([...sets, ...sets, ...sets].map((ids) => put(cohort, ids)));
    expect(sets).toContainEqual(await idsIn(cohort));
  });

  it('return 404 for an unknown cohort', async () => {
    expect((await put(newId(), [])).status).toBe(404);
    expect((await test.call(listCohortProducts, admin.as, params(newId()))).status).toBe(404);
  });
});
