import { readProductPermissions, registerProduct, setProductPermission } from '@officium/contract/admin';
import {
  listProductAccess,
  previewProductAccess,
  setPermissionOfProducts,
  setProductAccess,
} from '@officium/contract/product-access';
import { describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '#server/access/can.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { ageSignIn } from '#server/test/factories/factors.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

async function makeEntry(title: string, contentType = 'microcourse'): Promise<string> {
  const id = `entry-${newId()}`;
  await test.ctx.db
    .insertInto('entries')
    .values({ id, content_type: contentType, source: 'webhook', fields: JSON.stringify({ title: { en: title } }) })
    .execute();
  return id;
}
const list = async (query: Record<string, unknown>) => await test.call(listProductAccess, admin.as, { query });
const preview = async (id: string, can_view: string, can_join: string) =>
  await test.call(previewProductAccess, admin.as, { params: { id }, query: { can_view, can_join } });
const set = async (id: string, can_view: unknown, can_join: unknown) =>
  await test.call(setProductAccess, admin.as, { params: { id }, body: { can_view, can_join } });
const scopesOf = async (id: string) =>
  (await test.call(readProductPermissions, admin.as, { params: { id } })).body.permissions;

describe('listProductAccess', () => {
  it('lists registered and possible products by state, type and match, in pages', async () => {
    const [b, a] = [await makeEntry('Matrix b'), await makeEntry('Matrix a', 'academy')];
    await test.call(registerProduct, admin.as, { params: { id: a } });
    const all = await list({ match: 'matrix' });
    expect(listProductAccess.replies[200].parse(all.body)).toEqual(all.body);
    expect(all.body).toMatchObject({
      total: 2,
      entries: [
        { id: a, contentType: 'academy', permissions: { can_view: 'private', can_join: 'private' } },
        { id: b, permissions: null, updatedAt: null },
      ],
    });
    const ids = async (query: Record<string, unknown>) =>
      (await list({ match: 'matrix', ...query })).body.entries.map(({ id }: { id: string }) => id);
    expect(await ids({ state: 'registered' })).toEqual([a]);
    expect(await ids({ state: 'unregistered' })).toEqual([b]);
    expect(await ids({ type: 'microcourse' })).toEqual([b]);
    expect(await ids({ sort: '-title' })).toEqual([b, a]);
    expect(await ids({ sort: 'view' })).toEqual([a, b]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([b]);
    expect((await list({ match: 'matrix', offset: 5 })).body).toEqual({ entries: [], total: 2 });
    expect((await list({ match: 'no such thing' })).body).toEqual({ entries: [], total: 0 });
  });

  it('leaves out other content types and withdrawn entries', async () => {
    await makeEntry('Odd lesson', 'lesson');
    const gone = await makeEntry('Odd academy', 'academy');
    await test.ctx.db.updateTable('entries').set({ status: 'withdrawn' }).where('id', '=', gone).execute();
    expect((await list({ match: 'odd ' })).body.total).toBe(0);
  });

  it.each([[{ type: 'lesson' }], [{ state: 'x' }], [{ sort: 'slug' }], [{ limit: 0 }], [{ match: 'x'.repeat(257) }]])(
    'refuses %j',
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );
});

describe('previewProductAccess', () => {
  it('counts who could see and join a course, and insiders separately', async () => {
    const course = await makeCourse(test);
    const [placed, invited, stranger] = [
      await makePerson(test, { role: 'non-public-servant' }),
      await makePerson(test, { role: 'non-public-servant' }),
      await makePerson(test, { role: 'non-public-servant' }),
    ];
    await makePerson(test, { role: 'inactive' });
    await makePerson(test, { isProven: false });
    await enrol(test, placed, course.journey);
    await enrol(test, stranger, course.journey, { status: 'expired', expiresOn: new Date(0) });
    await putInCohort(test, await makeCohort(test, { products: [course.id] }), invited);
    const { body } = await preview(course.id, 'private', 'private');
    expect(previewProductAccess.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({ places: 1, becomesPublic: false, endsPublic: true, byInvitation: false });
    const allUsers = body.view.before;
    expect(body.view.after).toBe(3); // two insiders and the administrator
    expect(body.join).toEqual({ before: allUsers, after: 3 });
    const verified = (await preview(course.id, 'verified', 'verified')).body;
    expect(verified.view).toEqual({ before: allUsers, after: allUsers - 1 });
  });

  it('makes an unset journey follow its course, and keeps a private one closed', async () => {
    const course = await makeCourse(test, { journeys: [{}, { privacy: 'open-private' }] });
    await set(course.id, 'verified', 'verified');
    const [open, closed] = course.journeys.map(({ entryId }) => entryId);
    const followed = (await preview(open!, 'public', 'public')).body;
    expect(followed.view.before).toBe(followed.view.after); // the course is `verified`, and the stricter scope applies
    expect(followed.becomesPublic).toBe(false);
    expect((await preview(closed!, 'public', 'public')).body).toMatchObject({ byInvitation: true });
  });

  it('says which scopes are in force, why, and how many people cohorts admit', async () => {
    const course = await makeCourse(test, { scopes: { canView: 'private', canJoin: 'private' } });
    const journey = course.journey.entryId;
    const member = await makePerson(test, { role: 'non-public-servant' });
    await putInCohort(test, await makeCohort(test, { products: [course.id] }), member);
    const read = async (id: string) => (await preview(id, 'private', 'private')).body;
    const closed = { can_view: 'private', can_join: 'private' };
    const wide = { can_view: 'authenticated', can_join: 'authenticated' };
    expect(await read(course.id)).toMatchObject({
      effective: closed,
      reason: 'own',
      course: null,
      admitted: { cohorts: 1, people: 1 },
    });
    expect(await read(journey)).toMatchObject({ effective: closed, reason: 'as-course', course: closed });
    await set(course.id, 'authenticated', 'authenticated');
    expect(await read(journey)).toMatchObject({ effective: wide, reason: 'as-course', admitted: null });
    await set(journey, 'public', 'public');
    expect(await read(journey)).toMatchObject({ effective: wide, reason: 'stricter-course' });
    const { entries } = (await list({ match: journey })).body;
    expect(entries).toMatchObject([{ effective: wide, reason: 'stricter-course', isJourney: true }]);
    await test.ctx.db
      .updateTable('journeys')
      .set({ privacy: 'closed-public' })
      .where('key', '=', course.journey.key)
      .execute();
    expect(await read(journey)).toMatchObject({ effective: { ...wide, can_join: 'private' }, reason: 'content' });
  });

  it('counts the members of a community', async () => {
    const community = await makeCommunity(test.ctx.db, { canView: 'public', canJoin: 'authenticated' });
    const member = await makePerson(test, { role: 'non-public-servant' });
    await makeMember(test.ctx.db, community, member);
    const { entry_id: id } = await test.ctx.db
      .selectFrom('communities')
      .select('entry_id')
      .where('id', '=', community.id)
      .executeTakeFirstOrThrow();
    expect((await preview(id, 'private', 'private')).body).toMatchObject({ places: 1, view: { after: 2 } });
  });

  it('matches a per-user check for several cohorts, several grants, inactive accounts and no members', async () => {
    const course = await makeCourse(test, { journeys: [{}, {}] });
    const [first, second] = [course.journeys[0]!, course.journeys[1]!];
    const [open, empty] = [await makeEntry('Open to all'), await makeEntry('Nobody in it')];
    for (const id of [open, empty]) await test.call(registerProduct, admin.as, { params: { id } });
    await set(open, 'public', 'public');
    const cohorts = [
      await makeCohort(test, { products: [course.id, open] }),
      await makeCohort(test, { products: [course.id, first.entryId] }),
      await makeCohort(test, { products: [second.entryId] }),
      await makeCohort(test, { products: [empty] }),
    ];
    const kinds = [
      { role: 'public-servant' },
      { role: 'non-public-servant' },
      { role: 'administrator' },
      { role: 'inactive' },
      { role: 'non-public-servant', isProven: false },
    ] as const;
    const [ofCourse, ofOpen] = [new Set<string>(), new Set<string>()];
    for (let n = 0; n < 30; n += 1) {
      const person = await makePerson(test, kinds[n % kinds.length]);
      const isIn = [n % 2 === 0, n % 3 === 0, n % 7 === 0];
      for (const [nth, is] of isIn.entries()) if (is) await putInCohort(test, cohorts[nth]!, person);
      if (n % 4 === 0) await enrol(test, person, first);
      if (n % 8 === 0) await enrol(test, person, second);
      if (n % 11 === 1) await enrol(test, person, second, { expiresOn: new Date(0) });
      if (isIn.includes(true) || n % 4 === 0) ofCourse.add(person.id);
      if (isIn[0]) ofOpen.add(person.id);
    }
    const people = await test.ctx.db
      .selectFrom('users')
      .select(['id', 'role'])
      .where('role', '<>', 'inactive')
      .where('email_proven_at', 'is not', null)
      .where('erased_at', 'is', null)
      .execute();
    const countOf = (scope: Scope, letIn: Set<string>) =>
      people.filter(
        ({ id, role }) =>
          scope === 'public' ||
          scope === 'authenticated' ||
          role === 'administrator' ||
          letIn.has(id) ||
          (scope === 'verified' && role === 'public-servant'),
      ).length;
    const asked = [
      { id: course.id, letIn: ofCourse, held: ['public', 'authenticated'] },
      { id: first.entryId, letIn: ofCourse, held: ['public', 'authenticated'] },
      { id: open, letIn: ofOpen, held: ['public', 'public'] },
      { id: empty, letIn: new Set<string>(), held: ['private', 'private'] },
    ] as const;
    for (const { id, letIn, held } of asked)
      for (const [nth, view] of SCOPES.entries())
        for (const join of SCOPES.slice(nth)) {
          const { body } = await preview(id, view, join);
          expect([id, view, join, body.view, body.join]).toEqual([
            id,
            view,
            join,
            { before: countOf(held[0], letIn), after: countOf(view, letIn) },
            { before: countOf(held[1], letIn), after: countOf(join, letIn) },
          ]);
        }
  });

  it('returns 404 for an entry that is not a product, and 400 for invalid scopes', async () => {
    const id = await makeEntry('No product');
    expect((await preview(id, 'public', 'public')).status).toBe(404);
    await test.call(registerProduct, admin.as, { params: { id } });
    expect((await preview(id, 'verified', 'public')).status).toBe(400);
    expect((await preview(id, 'everybody', 'public')).status).toBe(400);
  });
});

describe('setProductAccess', () => {
  it('sets both scopes in one request and records the old ones', async () => {
    const id = await makeEntry('Both');
    expect((await set(id, 'public', 'public')).status).toBe(404);
    await test.call(registerProduct, admin.as, { params: { id } });
    for (const [view, join] of [
      ['public', 'authenticated'],
      ['private', 'private'],
      ['authenticated', 'verified'],
    ] as const) {
      expect((await set(id, view, join)).status).toBe(204);
      expect(await scopesOf(id)).toEqual({ can_view: view, can_join: join });
    }
    const { detail } = await test.ctx.db
      .selectFrom('audit_log')
      .select('detail')
      .where('object', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(detail).toEqual({
      can_view: 'authenticated',
      can_join: 'verified',
      before: { can_view: 'private', can_join: 'private' },
    });
  });

  it.each([
    ['verified', 'public'],
    ['public', undefined],
    [undefined, 'private'],
    ['all', 'private'],
  ])('refuses %s and %s', async (view, join) => {
    const id = await makeEntry('Refused');
    await test.call(registerProduct, admin.as, { params: { id } });
    expect((await set(id, view, join)).status).toBe(400);
    expect(await scopesOf(id)).toEqual({ can_view: 'private', can_join: 'private' });
  });

  it('makes a journey follow its course again', async () => {
    const course = await makeCourse(test);
    const journey = course.journey.entryId;
    await set(course.id, 'verified', 'verified');
    await set(journey, 'private', 'private');
    const follow = async (id: string) =>
      (await test.call(setProductAccess, admin.as, { params: { id }, body: { as: 'course' } })).status;
    expect([await follow(journey), await follow(course.id), await follow('no-such-entry')]).toEqual([204, 400, 404]);
    const { body } = await preview(journey, 'private', 'private');
    const verified = { can_view: 'verified', can_join: 'verified' };
    expect(body).toMatchObject({ effective: verified, reason: 'as-course' });
  });

  it('never allows joining more widely than viewing, also under concurrent changes', async () => {
    const id = await makeEntry('Raced');
    await test.call(registerProduct, admin.as, { params: { id } });
    for (let nth = 0; nth < 5; nth += 1) {
      await set(id, 'public', 'public');
      await Promise.all([
        set(id, 'private', 'private'),
        test.call(setProductPermission, admin.as, {
          params: { id },
          body: { permission: 'can_join', scope: 'authenticated' },
        }),
      ]);
      expect([
        { can_view: 'private', can_join: 'private' },
        { can_view: 'public', can_join: 'authenticated' },
      ]).toContainEqual(await scopesOf(id));
    }
  });
});

describe('setPermissionOfProducts', () => {
  const several = async (ids: string[], permission: string, scope: string, as = admin.as) =>
    await test.call(setPermissionOfProducts, as, { body: { ids, permission, scope } });
  const make = async (...scopes: Scope[]) => {
    const id = await makeEntry('Several');
    await test.call(registerProduct, admin.as, { params: { id } });
    await set(id, scopes[0], scopes[1]);
    return id;
  };

  it('sets one permission of all, keeps the other, and notes each in the audit log', async () => {
    const ids = [await make('public', 'public'), await make('verified', 'verified')];
    expect((await several([...ids, ids[0]!], 'can_join', 'private')).status).toBe(204); // two ids were made
    expect(await Promise.all(ids.map(scopesOf))).toEqual([
      { can_view: 'public', can_join: 'private' },
      { can_view: 'verified', can_join: 'private' },
    ]);
    const noted = await test.ctx.db
      .selectFrom('audit_log')
      .select(['object', 'detail'])
      .where('action', '=', 'admin.set-permissions')
      .where('object', 'in', ids)
      .orderBy('id')
      .execute();
    expect(noted.slice(-2).map(({ detail }) => detail)).toMatchObject([
      { can_join: 'private', before: { can_join: 'public' } },
      { can_join: 'private', before: { can_join: 'verified' } },
    ]);
  });

  it('changes none when one does not fit or does not exist', async () => {
    const [wide, narrow] = [await make('public', 'private'), await make('verified', 'private')];
    const refused = await several([wide, narrow], 'can_join', 'authenticated');
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'ids.1']);
    expect((await several([wide, 'no-such-product'], 'can_join', 'verified')).status).toBe(404);
    expect(await Promise.all([wide, narrow].map(scopesOf))).toEqual([
      { can_view: 'public', can_join: 'private' },
      { can_view: 'verified', can_join: 'private' },
    ]);
    expect((await several([], 'can_join', 'private')).status).toBe(400);
  });

  it('opens nothing to everybody in a session that is old', async () => {
    const other = await makePerson(test, { role: 'administrator' });
    await ageSignIn(test, other);
    const id = await make('verified', 'verified');
    const refused = await several([id], 'can_view', 'public', other.as);
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.recent_sign_in_required']);
    expect(await scopesOf(id)).toEqual({ can_view: 'verified', can_join: 'verified' });
  });

  it('does not deadlock with the same change in another order', async () => {
    const ids = [await make('verified', 'verified'), await make('verified', 'verified')];
    const answers = await Promise.all([
      several(ids, 'can_join', 'private'),
      several(ids.toReversed(), 'can_join', 'verified'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  });
});
