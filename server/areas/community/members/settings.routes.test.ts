import { listPieceVersions, readPiece, savePiece } from '@officium/contract/authoring';
import {
  createActivity,
  createActivityReaction,
  createChildReaction,
  readCommunity,
  updateActivity,
} from '@officium/contract/community';
import { readCommunitySettings, updateCommunitySettings } from '@officium/contract/community-settings';
import { createArticle } from '@officium/contract/content';
import { createCommunityPoll } from '@officium/contract/polls';
import { shareArticle } from '@officium/contract/shares';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;
const NONE = { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: null };

async function scene(settings: object = {}, given: Parameters<typeof makeCommunity>[1] = {}) {
  const community = await makeCommunity(db, given);
  const params = { slug: community.slug };
  const memberOf = async (how: Parameters<typeof makeMember>[3] = {}) => {
    const person = await makePerson(test);
    await makeMember(db, community, person, how);
    return person;
  };
  const [owner, moderator, member] = [
    await memberOf({ role: 'owner' }),
    await memberOf({ level: 3 }),
    await memberOf(),
  ];
  const put = (person: TestPerson | undefined, body: object) =>
    test.call(updateCommunitySettings, person?.as, { params, body: { ...NONE, ...body } });
  expect((await put(owner, settings)).status).toBe(200);
  const post = (person: TestPerson) => test.call(createActivity, person.as, { params, body: { title: 'Hello' } });
  const read = (person?: TestPerson) => test.call(readCommunitySettings, person?.as, { params });
  return { community, params, owner, moderator, member, put, post, read };
}

describe('updateCommunitySettings', () => {
  it('stores the rules as written and renders them safely, for everybody who sees the page', async () => {
    const { put, owner, member, read } = await scene();
    const saved = await put(owner, { locale: 'fr', rules: [' Soyez *aimables* ', 'Pas de <script>x</script>pub'] });
    expect(saved.status).toBe(200);
    expect(updateCommunitySettings.replies[200].parse(saved.body)).toBeTruthy();
    const { body } = await read();
    expect(body).toMatchObject({ locale: 'fr', canEdit: false, waitSeconds: { post: 0, reply: 0 } });
    expect(body.rules[0]).toEqual({ text: 'Soyez *aimables*', html: '<p>Soyez <em>aimables</em></p>\n' });
    expect(JSON.stringify(body.rules)).not.toContain('script');
    expect((await read(owner)).body.canEdit).toBe(true);
    expect((await read(member)).body.canEdit).toBe(false);
  });

  it('is allowed to owners and administrators', async () => {
    const { put, moderator, member } = await scene();
    expect((await put(undefined, {})).status).toBe(401);
    for (const person of [moderator, member]) expect((await put(person, {})).status).toBe(403);
    expect((await put(await makePerson(test, { role: 'administrator' }), {})).status).toBe(200);
    const hidden = await scene({}, { privacy: 'closed-hidden' });
    expect((await hidden.put(await makePerson(test), {})).status).toBe(404);
    expect((await hidden.read(await makePerson(test))).status).toBe(404);
  });

  it('accepts at most twenty rules, a day and whole numbers', async () => {
    const { put, owner } = await scene();
    for (const wrong of [
      { rules: Array.from({ length: 21 }, () => 'x') },
      { rules: ['x'.repeat(1001)] },
      { rules: [' '] },
      { rules: ['<script>x</script>'] },
      { slowModeSeconds: 86_401 },
      { slowModeSeconds: -1 },
      { postsPerDay: 0 },
      { postsPerDay: 1.5 },
      { locale: 'xx' },
    ])
      expect([wrong, (await put(owner, wrong)).status]).toEqual([wrong, 400]);
  });
});

describe('the page of a community', () => {
  const texts = { title: 'Better words', description: 'About writing', categories: ['Letters', 'Forms'] };

  it('is changed by an owner in the language of the community, as a version and without losing a draft', async () => {
    const { community, params, owner, put } = await scene(
      {},
      { locale: 'de', title: { de: 'Worte', en: 'Words' }, description: { de: 'Alt', en: 'Old' } },
    );
    const administrator = await makePerson(test, { role: 'administrator' });
    const piece = { kind: 'community', key: community.entryId } as const;
    const open = async () => (await test.call(readPiece, administrator.as, { params: piece })).body;
    const { doc, version } = await open();
    const draft = { ...doc, title: { ...doc.title, en: 'Drafted' } };
    await test.call(savePiece, administrator.as, { params: piece, body: { version, doc: draft } });

    expect((await put(owner, { page: texts })).status).toBe(200);
    const at = { params, query: { withPage: 'true' } };
    expect((await test.call(readCommunitySettings, owner.as, at)).body.page).toEqual({ locale: 'de', ...texts });
    const { body } = await test.call(readCommunity, undefined, { params, query: { locale: 'de' } });
    expect(body).toMatchObject(texts);
    const { body: english } = await test.call(readCommunity, undefined, { params, query: { locale: 'en' } });
    expect(english).toMatchObject({ title: 'Words', description: 'Old' });
    expect((await open()).doc).toMatchObject({
      title: { de: 'Better words', en: 'Drafted' },
      description: { de: 'About writing', en: 'Old' },
      categories: texts.categories,
    });
    const versions = async () =>
      (await test.call(listPieceVersions, administrator.as, { params: piece })).body.versions;
    expect(await versions()).toMatchObject([{ source: 'authoring' }, { source: 'import' }]);
    expect((await put(owner, { page: texts })).status).toBe(200);
    expect(await versions()).toHaveLength(2); // the same again is no version
    expect((await put(owner, { page: { ...texts, description: '' } })).status).toBe(200);
    expect((await open()).doc.description).toEqual({ en: 'Old' });
  });

  it('is for owners, needs a title, and is left alone by other settings', async () => {
    const { put, read, owner, moderator, member, params } = await scene();
    for (const person of [moderator, member]) expect((await put(person, { page: texts })).status).toBe(403);
    const at = { params, query: { withPage: 'true' } };
    expect((await test.call(readCommunitySettings, member.as, at)).body.page).toBeUndefined();
    expect((await read(owner)).body.page).toBeUndefined();
    for (const wrong of [
      { ...texts, title: ' ' },
      { ...texts, title: 'x'.repeat(201) },
      { ...texts, categories: ['A', 'A'] },
      { ...texts, description: 'x'.repeat(5001) },
    ])
      expect((await put(owner, { page: wrong })).status).toBe(400);
    const before = (await test.call(readCommunitySettings, owner.as, at)).body.page;
    expect((await put(owner, { postsPerDay: 3 })).status).toBe(200);
    expect((await test.call(readCommunitySettings, owner.as, at)).body.page).toEqual(before);
  });

  it('takes plain texts only, and no title that nobody sees', async () => {
    const { put, owner, params } = await scene();
    const page = {
      title: ' <b>Bold</b>\nand \u202edrow\u0007 ',
      description: 'One\r\n<script>x</script>\u2066two',
      categories: ['A', '<i>A</i>', 'B\u202e'],
    };
    expect((await put(owner, { page })).status).toBe(200);
    expect((await test.call(readCommunity, undefined, { params })).body).toMatchObject({
      title: 'Bold and drow',
      description: 'One\ntwo',
      categories: ['A', 'B'],
    });
    for (const wrong of [{ title: '\u200b' }, { title: '<script>x</script>' }, { categories: ['\u2060'] }])
      expect((await put(owner, { page: { ...texts, ...wrong } })).status).toBe(400);
  });
});

describe('slow mode', () => {
  it('admits one of twenty concurrent posts, and tells the others how long to wait', async () => {
    const { member, post, read } = await scene({ slowModeSeconds: 600 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(member)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 429)]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.code).toBe('community.too_early');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
    expect((await read(member)).body.waitSeconds.post).toBeGreaterThan(590);
  });

  it('applies to posts, polls, shares and replies, and not to likes, edits and moderators', async () => {
    const { member, moderator, owner, community, params, post } = await scene({ slowModeSeconds: 600 });
    const activityId = await makeActivity(db, community, owner);
    const replyId = await makeReaction(db, community, { activityId }, owner);
    const at = { ...params, id: activityId };
    const { body: mine } = await post(member);
    const like = await test.call(createActivityReaction, member.as, { params: at, body: { kind: 'like' } });
    expect(like.status).toBe(201);
    const edit = { params: { ...params, id: mine.id }, body: { title: 'Better' } };
    expect((await test.call(updateActivity, member.as, edit)).status).toBe(200);
    const reply = { kind: 'reply', body: 'And' };
    const options = [1, 2].map((position) => ({ position, body: `Option ${position}` }));
    const article = await test.call(createArticle, member.as, {
      body: { title: 'An article', subtitle: 'About it in a few words', body: 'With words', tags: [] },
    });
    const tried = [
      await test.call(createActivityReaction, member.as, { params: at, body: reply }),
      await test.call(createChildReaction, member.as, { params: { ...params, id: replyId }, body: reply }),
      await test.call(createCommunityPoll, member.as, { params, body: { title: 'Which?', options } }),
      await test.call(shareArticle, member.as, {
        params: { slug: article.body.slug },
        body: { title: 'Read', communities: [community.slug] },
      }),
    ];
    expect(tried.map(({ status }) => status)).toEqual(tried.map(() => 429));
    for (const person of [moderator, owner])
      expect([(await post(person)).status, (await post(person)).status]).toEqual([201, 201]);
    const other = await makePerson(test);
    await makeMember(db, community, other);
    expect((await post(other)).status).toBe(201);
  });

  it('counts accepted writes, not refused ones', async () => {
    const { member, params, post } = await scene({ slowModeSeconds: 600 });
    expect((await test.call(createActivity, member.as, { params, body: {} })).status).toBe(400);
    expect((await post(member)).status).toBe(201);
  });
});

describe('posts a day', () => {
  it('limits the posts of one person, however many they send at once; replies are free', async () => {
    const { member, owner, community, params, post } = await scene({ postsPerDay: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(member)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
    const activityId = await makeActivity(db, community, owner);
    const body = { kind: 'reply', body: 'And' };
    for (let count = 0; count < 3; count += 1) {
      const answer = await test.call(createActivityReaction, member.as, {
        params: { ...params, id: activityId },
        body,
      });
      expect(answer.status).toBe(201);
    }
  });
});
