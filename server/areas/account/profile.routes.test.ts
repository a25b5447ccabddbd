import { createProfile, readProfile, setLocale, setVisibility, updateProfile } from '@officium/contract/account';
import { deleteAccount, readSession } from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

const read = async (as: As | undefined, id: string) => await test.call(readProfile, as, { params: { id } });

async function makeCommunity(privacy: string, members: string[]): Promise<string> {
  const id = newId();
  const slug = `c-${id}`;
  await sql`insert into entries (id, content_type, source) values (${slug}, 'communityPage', 'folder')`.execute(
    test.ctx.db,
  );
  await sql`insert into products (entry_id, content_type, can_view, can_join) values (${slug}, 'communityPage', 'authenticated', 'authenticated')`.execute(
    test.ctx.db,
  );
  await sql`insert into communities (id, entry_id, slug, title, privacy) values (${id}, ${slug}, ${slug}, '{"en":"Data","fr":"Données"}', ${privacy})`.execute(
    test.ctx.db,
  );
  for (const userId of members)
    await sql`insert into community_members (community_id, user_id) values (${id}, ${userId})`.execute(test.ctx.db);
  return slug;
}

describe('createProfile and updateProfile', () => {
  const whole = {
    name: 'Maya Okoye',
    jobTitle: 'Planner',
    organization: 'City of Example',
    location: { id: 'ng', en: 'Nigeria', code: 'NG' },
    onboardingState: 'done',
    biography: 'Roads.\n\nAnd bridges.',
    bioLink: 'https://city.example/maya',
    image: { full: '/files/profiles/a-512.webp', thumbnail: 'http://localhost:3000/files/profiles/a-128.webp' },
  };

  it('returns 201 both times', async () => {
    const maya = await makePerson(test);
    for (let n = 0; n < 2; n += 1) {
      const answer = await test.call(createProfile, maya.as, { body: whole });
      expect(answer.status).toBe(201);
      expect(createProfile.replies[201].parse(answer.body)).toMatchObject({ id: maya.id, ...whole });
    }
  });

  it('changes only named fields and clears null or empty ones', async () => {
    const maya = await makePerson(test);
    await test.call(createProfile, maya.as, { body: whole });
    const one = await test.call(updateProfile, maya.as, { body: { jobTitle: 'Engineer' } });
    expect(one.status).toBe(200);
    expect(updateProfile.replies[200].parse(one.body)).toMatchObject({ ...whole, jobTitle: 'Engineer' });
    const two = await test.call(updateProfile, maya.as, {
      body: { biography: '', bioLink: '', location: null, image: null },
    });
    expect(two.body).toMatchObject({
      jobTitle: 'Engineer',
      biography: null,
      bioLink: null,
      location: null,
      image: null,
    });
    const none = await test.call(updateProfile, maya.as, { body: {} });
    expect([none.status, none.body]).toEqual([200, two.body]);
  });

  it('updates the name in the session at once', async () => {
    const maya = await makePerson(test);
    await test.call(readSession, maya.as);
    await test.call(updateProfile, maya.as, { body: { name: 'Maya Renamed' } });
    expect((await test.call(readSession, maya.as)).body.viewer.name).toBe('Maya Renamed');
  });

  it('removes all markup', async () => {
    const maya = await makePerson(test);
    const { body } = await test.call(updateProfile, maya.as, {
      body: {
        name: 'M<script>alert(1)</script>aya',
        biography: '<img src=x onerror=alert(1)>Roads',
        jobTitle: '<b></b>',
      },
    });
    expect(body).toMatchObject({ name: 'Maya', biography: 'Roads', jobTitle: null });
  });

  it.each([
    [{ role: 'administrator' }],
    [{ badges: { platform: { a: ['b'] } } }],
    [{ email: 'other@example.gov' }],
    [{ visibility: 'public' }],
    [{ name: '' }],
    [{ name: null }],
    [{ name: '<i></i>' }],
    [{ name: '\u200b\u2060' }],
    [{ name: '\u3164' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: ['x'] }],
    [{ name: 'a\0b' }],
    [{ biography: 'x'.repeat(5001) }],
    [{ bioLink: 'javascript:alert(1)' }],
    [{ bioLink: 'city.example' }],
    [{ location: 'Nigeria' }],
    [{ location: { id: 'ng', en: 'Nigeria', code: 'NG', x: 1 } }],
    [{ image: { full: 'http://pictures.example/a.png', thumbnail: '/files/a.webp' } }],
    [{ image: { full: 'https://maya:secret@pictures.example/a.png', thumbnail: '/files/a.webp' } }],
    [{ image: { full: 'javascript:alert(1)', thumbnail: '/files/a.webp' } }],
    [{ image: { full: '/files/a.webp', thumbnail: '//evil.example/a.png' } }],
    [{ image: { full: '/files/a.webp?x=1', thumbnail: '/files/a.webp' } }],
    [{ image: { full: 'data:image/png;base64,AA', thumbnail: '/files/a.webp' } }],
    [{ image: { full: '/api/auth/session', thumbnail: '/files/a.webp' } }],
  ])('refuses %j', async (body) => {
    const maya = await makePerson(test);
    expect((await test.call(updateProfile, maya.as, { body })).status).toBe(400);
    expect((await test.call(createProfile, maya.as, { body })).status).toBe(400);
  });

  it('accepts an https picture on another host', async () => {
    const maya = await makePerson(test);
    const image = { full: 'https://pictures.example/a.png?s=512', thumbnail: 'https://pictures.example/a.png?s=128' };
    expect((await test.call(updateProfile, maya.as, { body: { image } })).body.image).toEqual(image);
  });

  it('measures lengths in code points', async () => {
    const maya = await makePerson(test);
    expect((await test.call(updateProfile, maya.as, { body: { name: '😀'.repeat(100) } })).status).toBe(200);
  });

  it('requires a proven address', async () => {
    expect((await test.call(updateProfile, undefined, { body: {} })).status).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await test.call(updateProfile, unproven.as, { body: {} })).status).toBe(403);
    const inactive = await makePerson(test, { role: 'inactive' });
    expect((await test.call(createProfile, inactive.as, { body: {} })).status).toBe(403);
  });
});

describe('readProfile', () => {
  it('shows others a profile without the address and the onboarding state', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    await test.call(updateProfile, maya.as, { body: { jobTitle: 'Planner', onboardingState: 'done' } });
    const own = await read(maya.as, 'me');
    expect(readProfile.replies[200].parse(own.body)).toMatchObject({ id: maya.id, onboardingState: 'done' });
    const answer = await read(noor.as, maya.id.toUpperCase());
    expect(answer.body).toMatchObject({ id: maya.id, name: maya.name, jobTitle: 'Planner', onboardingState: null });
    expect(JSON.stringify(answer.body)).not.toContain(maya.email);
    expect(Date.parse(answer.body.joinedAt)).toBeGreaterThan(0);
  });

  it('shows others only the name of a private profile', async () => {
    const maya = await makePerson(test);
    await test.call(updateProfile, maya.as, { body: { jobTitle: 'Planner' } });
    await test.call(setVisibility, maya.as, { body: { visibility: 'private' } });
    const noor = await makePerson(test);
    expect(readProfile.replies[200].parse((await read(noor.as, maya.id)).body)).toEqual({
      id: maya.id,
      name: maya.name,
      jobTitle: null,
      organization: null,
      location: null,
      onboardingState: null,
      biography: null,
      bioLink: null,
      image: null,
      badges: {},
      visibility: 'private',
      joinedAt: null,
      communities: [],
    });
    const admin = await makePerson(test, { role: 'administrator' });
    for (const as of [maya.as, admin.as]) expect((await read(as, maya.id)).body.jobTitle).toBe('Planner');
  });

  it('returns 404 for unknown, erased and unproven accounts', async () => {
    const maya = await makePerson(test);
    const gone = await makePerson(test);
    const unproven = await makePerson(test, { isProven: false });
    await test.call(deleteAccount, gone.as, { params: { email: gone.email } });
    const answers = await Promise.all(
      [gone.id, unproven.id, newId(), '00000000-0000-0000-0000-000000000000'].map((id) => read(maya.as, id)),
    );
    for (const { status, body } of answers)
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...answers[0]?.body, requestId: '' }]);
    expect((await read(maya.as, 'you')).status).toBe(400);
    expect((await read(undefined, maya.id)).status).toBe(401);
  });

  it('shows its owner the view of others', async () => {
    const maya = await makePerson(test);
    await test.call(updateProfile, maya.as, { body: { jobTitle: 'Planner', onboardingState: 'done' } });
    const open = await makeCommunity('open-visible', [maya.id]);
    await makeCommunity('closed-hidden', [maya.id]);
    const seen = async () =>
      (await test.call(readProfile, maya.as, { params: { id: 'me' }, query: { as: 'others' } })).body;
    expect(await seen()).toMatchObject({ jobTitle: 'Planner', onboardingState: null, communities: [{ slug: open }] });
    expect((await seen()).communities).toHaveLength(1);
    await test.call(setVisibility, maya.as, { body: { visibility: 'private' } });
    expect(await seen()).toMatchObject({ name: maya.name, jobTitle: null, joinedAt: null, communities: [] });
    expect((await test.call(readProfile, maya.as, { params: { id: 'me' }, query: { as: 'me' } })).status).toBe(400);
  });

  it('lists the communities the viewer may see, in the viewer’s language', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const open = await makeCommunity('open-visible', [maya.id]);
    const unlisted = await makeCommunity('open-hidden', [maya.id]);
    const closed = await makeCommunity('closed-visible', [maya.id]);
    const hidden = await makeCommunity('closed-hidden', [maya.id]);
    const shared = await makeCommunity('closed-hidden', [maya.id, noor.id]);
    const slugs = async (as: As) =>
      (await read(as, maya.id)).body.communities.map(({ slug }: { slug: string }) => slug).sort();
    expect(await slugs(maya.as)).toEqual([open, unlisted, closed, hidden, shared].sort());
    expect(await slugs(noor.as)).toEqual([open, shared].sort());
    const french = await test.call(readProfile, noor.as, { params: { id: maya.id }, query: { locale: 'fr-CA' } });
    expect(french.body.communities[0]).toMatchObject({ title: 'Données', role: 'member' });
  });
});

describe('setLocale', () => {
  it('stores the language and sets the cookie', async () => {
    const maya = await makePerson(test);
    const answer = await test.call(setLocale, maya.as, { body: { locale: 'sr-Cyrl' } });
    expect([answer.status, setLocale.replies[200].parse(answer.body)]).toEqual([200, { locale: 'sr-Cyrl' }]);
    expect(answer.cookies).toMatchObject([{ name: 'locale', value: 'sr-Cyrl', path: '/' }]);
    expect((await test.call(readSession, maya.as)).body.viewer).toMatchObject({
      locale: 'sr-Cyrl',
      localeChosen: true,
    });
    for (const locale of ['xx', 'EN', '', null, ['en']])
      expect((await test.call(setLocale, maya.as, { body: { locale } })).status).toBe(400);
    expect((await test.call(setLocale, undefined, { body: { locale: 'en' } })).status).toBe(401);
  });
});

describe('setVisibility', () => {
  it('accepts the three values', async () => {
    const maya = await makePerson(test);
    for (const visibility of ['public', 'private', 'default']) {
      const answer = await test.call(setVisibility, maya.as, { body: { visibility } });
      expect([answer.status, setVisibility.replies[200].parse(answer.body)]).toEqual([200, { visibility }]);
      expect((await read(maya.as, 'me')).body.visibility).toBe(visibility);
    }
    expect((await test.call(setVisibility, maya.as, { body: { visibility: 'hidden' } })).status).toBe(400);
    expect((await test.call(setVisibility, undefined, { body: { visibility: 'public' } })).status).toBe(401);
  });
});
