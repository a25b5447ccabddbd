import { readProfile, setVisibility, updateProfile } from '@officium/contract/account';
import { mintToken } from '@officium/contract/auth';
import { listMembers, readActivity } from '@officium/contract/community';
import * as contract from '@officium/contract/people';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson, sessionIn } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const service = { serviceKey: SERVICE_KEY };

const profileOf = async (as: As, id: string) => (await test.call(readProfile, as, { params: { id } })).body;
const update = (as: As | undefined, id: string, body: unknown) =>
  test.call(contract.updateUser, as, { params: { id }, body });
const erase = (as: As | undefined, id: string) => test.call(contract.eraseUser, as, { params: { id } });
const search = (as: As | undefined, body: unknown) => test.call(contract.searchUsers, as, { body });
const badge = (as: As | undefined, id: string, body: unknown) =>
  test.call(contract.setBadges, as, { params: { id }, body });

describe('updateUser', () => {
  const whole = {
    name: 'Maya Okoye',
    thumbnail: '/files/profiles/a-128.webp',
    organization: 'City of Example',
    jobTitle: 'Planner',
    location: { id: 'ng', en: 'Nigeria', code: 'NG' },
  };

  it('replaces the details of the profile', async () => {
    const maya = await makePerson(test);
    const { status, body } = await update(maya.as, 'me', whole);
    expect(status).toBe(200);
    expect(contract.updateUser.replies[200].strict().parse(body)).toEqual({ updated: true });
    const { thumbnail, ...rest } = whole;
    expect(await profileOf(maya.as, 'me')).toMatchObject({ ...rest, image: { thumbnail } });
    await update(maya.as, maya.id, { name: 'M<script>x</script>aya' });
    expect(await profileOf(maya.as, 'me')).toMatchObject({
      name: 'Maya',
      organization: null,
      jobTitle: null,
      location: null,
      image: null,
    });
  });

  it('keeps the large picture while the thumbnail is unchanged', async () => {
    const maya = await makePerson(test);
    const image = { full: '/files/profiles/a-512.webp', thumbnail: '/files/profiles/a-128.webp' };
    await test.call(updateProfile, maya.as, { body: { image } });
    await update(maya.as, 'me', whole);
    expect((await profileOf(maya.as, 'me')).image).toEqual(image);
    await update(maya.as, 'me', { ...whole, thumbnail: 'https://pictures.example/b.png' });
    expect((await profileOf(maya.as, 'me')).image.full).toBe('https://pictures.example/b.png');
  });

  it('accepts badges only from another administrator', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    const badges = { platform: { founding: ['2026'] } };
    expect((await update(maya.as, 'me', { ...whole, badges })).status).toBe(403);
    expect((await profileOf(maya.as, 'me')).name).toBe(maya.name);
    const own = await update(admin.as, 'me', { ...whole, badges });
    expect([own.status, own.body.code]).toEqual([403, 'people.own_rights']);
    expect((await update(admin.as, maya.id, { ...whole, badges })).status).toBe(200);
    await update(maya.as, 'me', whole);
    expect((await profileOf(maya.as, 'me')).badges).toEqual(badges);
  });

  it.each(['email', 'role', 'approved', 'permissions', 'visibility'])('refuses %s for every role', async (field) => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    for (const as of [maya.as, admin.as])
      expect((await update(as, maya.id, { ...whole, [field]: 'administrator' })).status).toBe(403);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: ' \u200b ' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'a\0b' }],
    [{ name: 'M', biography: 'x' }],
    [{ name: 'M', thumbnail: 'javascript:alert(1)' }],
    [{ name: 'M', thumbnail: '//evil.example/a.png' }],
    [{ name: 'M', location: 'Nigeria' }],
    [{ name: 'M', badges: { other: {} } }],
    [{ name: 'M', badges: [] }],
    [[]],
  ])('returns 400 for %j', async (body) => {
    const maya = await makePerson(test);
    expect((await update(maya.as, 'me', body)).status).toBe(400);
  });

  it('refuses changes to other accounts', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const unproven = await makePerson(test, { isProven: false });
    expect((await update(maya.as, noor.id, whole)).status).toBe(403);
    expect((await update(maya.as, unproven.id, whole)).status).toBe(404);
    expect((await update(maya.as, newId(), whole)).status).toBe(404);
    expect((await update(undefined, 'me', whole)).status).toBe(401);
    expect((await update(maya.as, 'you', whole)).status).toBe(400);
  });
});

describe('setBadges', () => {
  it('replaces all badges on the profile and beside posts', async () => {
    const maya = await makePerson(test);
    const badges = { communities: { writers: ['mentor'] }, platform: { founding: ['2026'] } };
    const { status, body } = await badge(service, maya.id, { badges });
    expect(status).toBe(200);
    expect(contract.setBadges.replies[200].strict().parse(body)).toEqual({ updated: true });
    expect((await profileOf(maya.as, 'me')).badges).toEqual(badges);
    const community = await makeCommunity(test.ctx.db);
    const id = await makeActivity(test.ctx.db, community, maya);
    const post = await test.call(readActivity, maya.as, { params: { slug: community.slug, id } });
    expect(post.body.actor.badges).toEqual(badges);
    await badge(service, maya.id, { badges: {} });
    expect((await profileOf(maya.as, 'me')).badges).toEqual({});
  });

  it('hides communities the viewer may not see, on profiles, records and beside posts', async () => {
    const [maya, noor] = [await makePerson(test), await makePerson(test)];
    const [open, hidden] = [
      await makeCommunity(test.ctx.db),
      await makeCommunity(test.ctx.db, { privacy: 'closed-hidden', canView: 'private' }),
    ];
    for (const community of [open, hidden]) await makeMember(test.ctx.db, community, maya);
    const badges = { communities: { [open.slug]: ['mentor'], [hidden.slug]: ['mentor'] }, platform: { a: ['b'] } };
    const less = { ...badges, communities: { [open.slug]: ['mentor'] } };
    await badge(service, maya.id, { badges });
    const id = await makeActivity(test.ctx.db, open, maya);
    const beside = async () =>
      (await test.call(readActivity, noor.as, { params: { slug: open.slug, id } })).body.actor.badges;
    const inRecord = async (as: As) =>
      (await test.call(contract.readUserRecord, as, { params: { id: maya.id } })).body.badges;

    expect((await profileOf(noor.as, maya.id)).badges).toEqual(less);
    expect(await inRecord(noor.as)).toEqual(less);
    expect(await beside()).toEqual(less);
    expect((await profileOf(maya.as, 'me')).badges).toEqual(badges);
    const token = { id: maya.id, email: maya.email, name: 'Maya', permissions: { communities: { [open.slug]: 2 } } };
    const narrowed = sessionIn(await test.call(mintToken, service, { body: token }));
    expect((await profileOf(narrowed, 'me')).badges).toEqual(less);
    expect(await inRecord(narrowed)).toEqual(less);

    await makeMember(test.ctx.db, hidden, noor);
    expect((await profileOf(noor.as, maya.id)).badges).toEqual(badges);

    // Badges beside posts also follow a community that is hidden or withdrawn later.
    const later: [ReturnType<typeof sql>, unknown][] = [
      [sql`update communities set privacy = 'closed-hidden' where id = ${open.id}`, {}],
      [sql`update communities set privacy = 'open-visible' where id = ${open.id}`, less.communities],
      [sql`update products set can_view = 'private', can_join = 'private' where entry_id = ${open.entryId}`, {}],
      [sql`update products set can_view = 'public' where entry_id = ${open.entryId}`, less.communities],
      [sql`update entries set status = 'withdrawn' where id = ${open.entryId}`, {}],
    ];
    for (const [change, shown] of later) {
      await change.execute(test.ctx.db);
      const { rows } = await sql<{ badges: unknown }>`
        select public_badges->'communities' as badges from users where id = ${maya.id}`.execute(test.ctx.db);
      expect(rows).toEqual([{ badges: shown }]);
    }
  });

  it('is allowed only to services and administrators, and not for the viewer’s own account', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    const body = { badges: { platform: { a: ['b'] } } };
    expect((await badge(undefined, maya.id, body)).status).toBe(401);
    expect((await badge(maya.as, maya.id, body)).status).toBe(403);
    expect((await badge(admin.as, maya.id, body)).status).toBe(200);
    expect((await badge(admin.as, 'me', body)).status).toBe(403);
    expect((await badge(service, 'me', body)).status).toBe(400);
    expect((await badge(service, newId(), body)).status).toBe(404);
  });

  it.each([
    [{}],
    [{ badges: null }],
    [{ badges: { platform: ['a'] } }],
    [{ badges: { platform: { a: 'b' } } }],
    [{ badges: { platform: { a: [''] } } }],
    [{ badges: { platform: { a: Array(101).fill('b') } } }],
    [{ badges: { other: {} } }],
    [{ badges: {}, x: 1 }],
  ])('refuses %j', async (body) => {
    const maya = await makePerson(test);
    expect((await badge(service, maya.id, body)).status).toBe(400);
  });
});

describe('eraseUser', () => {
  it('erases the person and keeps their posts without a name', async () => {
    const { db } = test.ctx;
    const maya = await makePerson(test, { name: 'Maya Okoye' });
    const viewer = await makePerson(test);
    const community = await makeCommunity(db);
    await makeMember(db, community, maya);
    await makeMember(db, community, viewer);
    const id = await makeActivity(db, community, maya);
    const { status, body, cookies } = await erase(maya.as, 'me');
    expect(status).toBe(200);
    expect(contract.eraseUser.replies[200].strict().parse(body)).toEqual({ deleted: true });
    expect(cookies.find(({ name }) => name === 'session')?.value).toBe('');
    expect((await profileOf(viewer.as, maya.id)).statusCode).toBe(404);
    const post = await test.call(readActivity, viewer.as, { params: { slug: community.slug, id } });
    expect(post.body.actor.name).toBe('Deleted user');
    const members = await test.call(listMembers, viewer.as, { params: { slug: community.slug } });
    expect(members.body.total).toBe(1);
    const { rows } = await sql<{ count: number }>`
      select member_count as count from communities where id = ${community.id}`.execute(db);
    expect(rows[0]?.count).toBe(1);
    const left = await sql`select * from users where id = ${maya.id}`.execute(db);
    expect(JSON.stringify(left.rows)).not.toContain('Maya');
    expect((await erase(maya.as, 'me')).status).toBe(401);
  });

  it('happens once for many parallel requests', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const maya = await makePerson(test);
    const answers = await Promise.all(Array.from({ length: 6 }, () => erase(admin.as, maya.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const logged = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', maya.id).execute();
    expect(logged).toMatchObject([{ actor: admin.id, action: 'auth.delete-account' }]);
  });

  it('is allowed for the viewer’s own account, even an inactive one, and for administrators', async () => {
    const maya = await makePerson(test);
    const inactive = await makePerson(test, { role: 'inactive' });
    const unproven = await makePerson(test, { isProven: false });
    expect((await erase(undefined, maya.id)).status).toBe(401);
    expect((await erase(service, maya.id)).status).toBe(403);
    expect((await erase(inactive.as, maya.id)).status).toBe(403);
    expect((await erase(unproven.as, 'me')).status).toBe(403);
    expect((await erase(maya.as, newId())).status).toBe(404);
    expect((await erase(inactive.as, inactive.id)).status).toBe(200);
  });
});

describe('searchUsers', () => {
  it('finds public profiles by parts of their visible text, ignoring accents', async () => {
    const viewer = await makePerson(test, { name: 'Reader' });
    const jose = await makePerson(test, { name: 'José Ñandú', visibility: 'public' });
    await update(jose.as, 'me', {
      name: 'José Ñandú',
      organization: 'Ministry of 100% Water',
      jobTitle: 'Hydrologist',
    });
    await makePerson(test, { name: 'Jose Default' });
    await makePerson(test, { name: 'Jose Private', visibility: 'private' });
    const { status, body } = await search(viewer.as, { match: 'JOSE' });
    expect(status).toBe(200);
    expect(contract.searchUsers.replies[200].parse(body)).toEqual({
      total: 1,
      users: [
        {
          id: jose.id,
          name: 'José Ñandú',
          thumbnail: null,
          jobTitle: 'Hydrologist',
          organization: 'Ministry of 100% Water',
        },
      ],
    });
    for (const match of ['ñandu', 'hydro jose', '100%', '100％', 'ministry', 'ＪＯＳＥ'])
      expect([match, (await search(viewer.as, { match })).body.total]).toEqual([match, 1]);
    for (const match of ['%', '_', '\\\\', '＼', '＿', jose.email, 'jose jane'])
      expect([match, (await search(viewer.as, { match })).body.total]).toEqual([match, match === '%' ? 1 : 0]);
  });

  it('follows visibility changes, always finds the viewer, and shows administrators everyone', async () => {
    const viewer = await makePerson(test, { name: 'Searcher Own' });
    const admin = await makePerson(test, { role: 'administrator', name: 'Searcher Admin' });
    const other = await makePerson(test, { name: 'Searcher Other' });
    const names = async (as: As) =>
      (await search(as, { match: 'searcher' })).body.users.map(({ name }: { name: string }) => name);
    expect(await names(viewer.as)).toEqual(['Searcher Own']);
    await test.call(setVisibility, other.as, { body: { visibility: 'public' } });
    expect(await names(viewer.as)).toEqual(['Searcher Other', 'Searcher Own']);
    expect(await names(admin.as)).toEqual(['Searcher Admin', 'Searcher Other', 'Searcher Own']);
    await erase(admin.as, other.id);
    expect(await names(viewer.as)).toEqual(['Searcher Own']);
  });

  it('leaves out unproven and inactive accounts', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    await makePerson(test, { name: 'Ghost One', visibility: 'public', isProven: false });
    await makePerson(test, { name: 'Ghost Two', visibility: 'public', role: 'inactive' });
    expect((await search(admin.as, { match: 'ghost' })).body).toEqual({ users: [], total: 0 });
  });

  it('finds names by one or two characters of scripts without spaces', async () => {
    const viewer = await makePerson(test, { name: 'Reader' });
    const [first, second] = [
      await makePerson(test, { name: '青木 葵', visibility: 'public' }),
      await makePerson(test, { name: '木村 青', visibility: 'public' }),
    ];
    await makePerson(test, { name: '青木 陽子' });
    const found = async (match: string) =>
      (await search(viewer.as, { match })).body.users.map(({ id }: { id: string }) => id);
    expect(await found('青木')).toEqual([first.id]);
    expect(await found('青')).toEqual([first.id, second.id]);
    expect(await found('木')).toEqual([second.id, first.id]);
    expect(await found('青 村')).toEqual([second.id]);
    expect(await found('木青')).toEqual([]);
  });

  it('lists and counts everyone by name for an empty query', async () => {
    const viewer = await makePerson(test, { name: 'Reader of all' });
    const admin = await makePerson(test, { role: 'administrator', name: 'aaron' });
    await makePerson(test, { name: 'Zoë', visibility: 'public' });
    for (const [as, where] of [
      [admin.as, sql`true`],
      [viewer.as, sql`(visibility = 'public' or id = ${viewer.id})`],
    ] as const) {
      const { rows } = await sql<{ id: string }>`
        select id from users where erased_at is null and email_proven_at is not null and role <> 'inactive' and ${where}
        order by lower(name), id`.execute(test.ctx.db);
      const listed: string[] = [];
      for (let offset = 0; offset < rows.length; offset += 20) {
        const { body } = await search(as, { limit: 20, offset });
        expect(body.total).toBe(rows.length);
        listed.push(...body.users.map(({ id }: { id: string }) => id));
      }
      expect(listed).toEqual(rows.map(({ id }) => id));
    }
  });

  it('pages the results, names that begin with the query first', async () => {
    const viewer = await makePerson(test, { name: 'Reader' });
    for (const name of ['Anna Zeta', 'Zeta Bea', 'Cleo Zeta']) await makePerson(test, { name, visibility: 'public' });
    const first = await search(viewer.as, { match: 'zeta', limit: 2 });
    expect(first.body.users.map(({ name }: { name: string }) => name)).toEqual(['Zeta Bea', 'Anna Zeta']);
    const second = await search(viewer.as, { match: 'zeta', limit: 2, offset: 2 });
    expect(second.body).toMatchObject({ total: 3, users: [{ name: 'Cleo Zeta' }] });
  });

  it.each([
    [{ match: 7 }],
    [{ match: 'x'.repeat(257) }],
    [{ match: 'a\0b' }],
    [{ match: 'a', limit: 0 }],
    [{ match: 'a', limit: 101 }],
    [{ match: 'a', limit: '5' }],
    [{ match: 'a', offset: -1 }],
    [{ match: 'a', offset: 10_001 }],
    [{ match: 'a', x: 1 }],
  ])('refuses %j', async (body) => {
    const viewer = await makePerson(test);
    expect((await search(viewer.as, body)).status).toBe(400);
  });

  it('requires a session', async () => {
    expect((await search(undefined, { match: 'a' })).status).toBe(401);
    expect((await search({ token: 'x' }, { match: 'a' })).status).toBe(401);
  });
});
