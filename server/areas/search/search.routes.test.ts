import { sql } from 'kysely';
import { deleteActivity, updateActivity, updateReaction, deleteReaction } from '@officium/contract/community';
import { search, type SearchResult } from '@officium/contract/search';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { countQueries } from '#server/test/queries.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';
import { toPieces } from './search.view.ts';

const test = await createTestApp();
const { db } = test.ctx;

type Group = (typeof search.replies)[200]['_zod']['output']['groups'][number]['group'];

type Filters = { language?: string; community?: string; author?: string; within?: string; from?: string; to?: string };

async function find(
  q: string,
  as?: As,
  query: { group?: Group; limit?: number; offset?: number; locale?: string } & Filters = {},
) {
  const answer = await test.call(search, as, { query: { q, ...query } });
  expect(answer.status).toBe(200);
  return search.replies[200].parse(answer.body).groups;
}
/** The ids of the results in all groups. */
const ids = async (q: string, as?: As, query?: Parameters<typeof find>[2]) =>
  (await find(q, as, query)).flatMap(({ results }) => results.map(({ id }) => id));
const textOf = (pieces: SearchResult['title']) =>
  pieces.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');

let member: TestPerson;
let stranger: TestPerson;
let administrator: TestPerson;
let open: TestCommunity;

beforeAll(async () => {
  member = await makePerson(test, { name: 'Ada' });
  stranger = await makePerson(test, { name: 'Bo' });
  administrator = await makePerson(test, { role: 'administrator' });
  open = await makeCommunity(db, { title: { en: 'Forms people can use', fr: 'Des formulaires utilisables' } });
  await makeMember(db, open, member);
});

describe('search', () => {
  it('finds a post by any form of its words, with or without accents', async () => {
    const id = await makeActivity(db, open, member, {
      title: 'Évaluations publiées',
      body: 'Nous avons **mesuré** la réunion <b>hier</b> &amp; demain',
      locale: 'fr',
    });
    for (const q of ['évaluation', 'EVALUATION publiee', 'mesurer', 'reunions', '"la réunion"', 'reunion -lundi'])
      expect([q, await ids(q)]).toEqual([q, [id]]);
    for (const q of ['reunion -hier', '"réunion mesuré"', 'lundi', 'strong'])
      expect([q, await ids(q, undefined, { group: 'posts' })]).toEqual([q, []]);
    const [posts] = await find('mesure', undefined, { group: 'posts' });
    expect(posts?.results[0]).toMatchObject({
      kind: 'post',
      path: `/communities/${open.slug}/activities/${id}`,
      locale: 'fr',
      place: { title: 'Forms people can use', path: `/communities/${open.slug}` },
      author: { id: member.id, name: 'Ada' },
      createdAt: expect.any(String),
    });
    expect(textOf(posts!.results[0]!.title)).toBe('Évaluations publiées');
    expect(textOf(posts!.results[0]!.excerpt)).toMatch(/Nous avons\s+\[mesuré\]\s+la réunion/);
  });

  it.each([
    ['ja', '市役所の窓口で手続きを案内する', '手続き -回覧', '続手'],
    ['ko', '회의에서 결정한 것을 알립니다', '회의', '의회'],
    ['ar', 'نشرت البلدية الخطة الجديدة', 'الخطة', 'كتاب'],
    ['pl', 'Nowy formularz zgłoszenia', 'zgloszenia', 'zgloszono'],
    ['vi', 'Hướng dẫn công dân nộp đơn', 'huong dan', 'huong tay'],
    ['sr-Cyrl', 'Општина је објавила план', 'општина', 'школа'],
  ] as const)('finds texts written in %s', async (locale, body, present, absent) => {
    const id = await makeActivity(db, open, member, { body, locale });
    expect(await ids(present)).toEqual([id]);
    expect(await ids(absent, undefined, { group: 'posts' })).toEqual([]);
    const [posts] = await find(present, undefined, { group: 'posts' });
    expect(posts?.results[0]?.excerpt.map(({ text }) => text).join('')).toBe(body);
    expect(posts?.results[0]?.excerpt.some(({ isMatch }) => isMatch)).toBe(true);
  });

  it('finds replies with their path, and follows edits and deletions', async () => {
    const post = await makeActivity(db, open, member, { title: 'Opening question', body: 'walrus' });
    const reply = await makeReaction(db, open, { activityId: post }, member, { body: 'An answer about porpoises' });
    const [found] = await find('porpoise', member.as, { group: 'posts' });
    expect(found?.results).toMatchObject([
      {
        kind: 'reply',
        path: `/communities/${open.slug}/activities/${post}#${reply}`,
        title: [{ text: 'Opening question', isMatch: false }],
      },
    ]);
    const at = { slug: open.slug, id: reply };
    await test.call(updateReaction, member.as, { params: at, body: { kind: 'reply', body: 'About narwhals' } });
    expect(await ids('porpoise', member.as, { group: 'posts' })).toEqual([]);
    expect(await ids('narwhal', member.as)).toEqual([reply]);
    await test.call(updateActivity, member.as, {
      params: { slug: open.slug, id: post },
      body: { verb: 'post', body: 'seal' },
    });
    expect([await ids('walrus', undefined, { group: 'posts' }), await ids('seal')]).toEqual([[], [post]]);
    await test.call(deleteReaction, member.as, { params: at });
    expect(await ids('narwhal', member.as, { group: 'posts' })).toEqual([]);
    await makeReaction(db, open, { activityId: post }, member, { body: 'orcas' });
    await test.call(deleteActivity, member.as, { params: { slug: open.slug, id: post } });
    expect(await ids('seal or orcas', member.as, { group: 'posts' })).toEqual([]);
  });

  it('finds replies only for members, who may read them', async () => {
    const post = await makeActivity(db, open, member, { body: 'A post about pangolins' });
    const reply = await makeReaction(db, open, { activityId: post }, member, { body: 'A reply about pangolins' });
    const shutOut = await makePerson(test);
    await makeMember(db, open, shutOut, { level: 0 });
    const narrowed = { token: await openSession(db, { userId: member.id, permissions: { communities: {} } }) };
    const seen = async (as?: As) => (await ids('pangolin', as, { group: 'posts' })).toSorted();
    for (const as of [member.as, administrator.as]) expect(await seen(as)).toEqual([post, reply].toSorted());
    for (const as of [undefined, stranger.as, shutOut.as, narrowed]) expect(await seen(as)).toEqual([post]);
  });

  it('finds nothing that the viewer may not read', async () => {
    const communities = {
      'closed-hidden': await makeCommunity(db, { privacy: 'closed-hidden', title: { en: 'Quokka one' } }),
      'closed-visible': await makeCommunity(db, { privacy: 'closed-visible', title: { en: 'Quokka two' } }),
      'open-hidden': await makeCommunity(db, { privacy: 'open-hidden', title: { en: 'Quokka three' } }),
      verified: await makeCommunity(db, { canView: 'verified', title: { en: 'Quokka four' } }),
    };
    const posts: Record<string, string> = {};
    for (const [name, community] of Object.entries(communities)) {
      await makeMember(db, community, member);
      posts[name] = await makeActivity(db, community, member, { body: 'quokka' });
    }
    const all = (...names: (keyof typeof communities)[]) => names.map((name) => posts[name]).toSorted();
    const seen = async (as?: As) => (await ids('quokka', as, { group: 'posts' })).toSorted();
    const pages = async (as?: As) => (await ids('quokka', as, { group: 'communities' })).toSorted();
    const { 'closed-visible': visible, verified } = communities;
    const unproven = await makePerson(test, { role: 'non-public-servant' });
    const inactive = await makePerson(test, { role: 'inactive' });
    const narrowed = { token: await openSession(db, { userId: member.id, permissions: { communities: {} } }) };
    expect(await seen(member.as)).toEqual(Object.values(posts).toSorted());
    expect(await seen(stranger.as)).toEqual(all('verified'));
    expect(await seen(administrator.as)).toEqual(all('verified'));
    expect(await seen(narrowed)).toEqual(all('verified'));
    for (const as of [undefined, unproven.as, inactive.as]) expect(await seen(as)).toEqual([]);
    expect(await pages(member.as)).toEqual(
      Object.values(communities)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(await pages(stranger.as)).toEqual([visible.id, verified.id].toSorted());
    expect(await pages()).toEqual([visible.id]);
    expect(await pages(inactive.as)).toEqual([]);
  });

  it('finds lessons of the viewer’s journeys, and courses of their catalogue', async () => {
    const body = { en: '<p>The wombat digs.</p>', fr: '<p>Le wombat creuse.</p>' };
    const course = await makeCourse(test, {
      title: { en: 'Burrows and wombats' },
      journeys: [{ sections: [{ lessons: [{ title: { en: 'Digging', fr: 'Creuser' }, body }] }] }],
    });
    const hidden = await makeCourse(test, { type: 'Private', title: { en: 'Secret wombats' } });
    const learner = await makePerson(test);
    const late = await makePerson(test);
    await enrol(test, learner, course.journey);
    await enrol(test, late, course.journey, { expiresOn: new Date(Date.now() - 1000) });
    const lesson = course.journey.lessons[0]!;
    for (const as of [undefined, stranger.as, late.as]) expect(await ids('wombat', as)).toEqual([course.id]);
    expect((await ids('wombat', administrator.as)).toSorted()).toEqual([course.id, hidden.id, lesson.key].toSorted());
    const [learning] = await find('wombat', learner.as, { group: 'learning', locale: 'fr' });
    const found = learning?.results.find(({ kind }) => kind === 'lesson');
    expect(learning?.results).toHaveLength(2);
    expect(found).toMatchObject({
      id: lesson.key,
      path: `/courses/${course.slug}/${course.journey.slug}/${lesson.slug}`,
      locale: 'fr',
      place: { title: 'Burrows and wombats' },
    });
    expect(textOf(found!.excerpt)).toContain('Le [wombat] creuse');
    await db.updateTable('lessons').set({ withdrawn_at: new Date() }).where('key', '=', lesson.key).execute();
    expect(await ids('wombat', learner.as)).toEqual([course.id]);
  });

  it('finds titles with similar spelling in every script', async () => {
    for (const [title, q] of [
      ['Заштита података', 'заштитта'],
      ['حماية البيانات', 'البياناات'],
      ['Προστασία δεδομένων', 'προσταςία'],
    ] as const) {
      const id = await makeActivity(db, open, member, { title, body: 'Something' });
      expect([q, await ids(q)]).toEqual([q, [id]]);
    }
  });

  it('finds no lesson of withdrawn content, even for administrators', async () => {
    const course = await makeCourse(test, {
      journeys: [{ sections: [{ lessons: [{ title: { en: 'Of bandicoots' } }] }] }],
    });
    const lesson = course.journey.lessons[0]!;
    for (const id of [course.journey.entryId, course.id]) {
      expect(await ids('bandicoots', administrator.as)).toEqual([lesson.key]);
      await setEntryStatus(test, id, 'withdrawn');
      for (const q of ['bandicoots', 'bandicoost']) expect(await ids(q, administrator.as)).toEqual([]);
      await setEntryStatus(test, id, 'published');
    }
  });

  it('finds people by their visible profile, for signed-in viewers', async () => {
    const person = await makePerson(test, { name: 'Zéphyrine Okapi', visibility: 'public' });
    await makePerson(test, { name: 'Zéphyrine Hidden', visibility: 'private' });
    expect(await ids('zephyrine', stranger.as)).toEqual([person.id]);
    expect(await ids('zephyrine')).toEqual([]);
  });

  it('ranks titles above texts, and new above old', async () => {
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
    const long = 'Other words about other things. '.repeat(20);
    const text = await makeActivity(db, open, member, {
      title: 'Something',
      body: `${long} capybara`,
      createdAt: at(1),
    });
    const old = await makeActivity(db, open, member, { title: 'Capybara care', body: long, createdAt: at(400) });
    const young = await makeActivity(db, open, member, { title: 'Capybara care', body: long, createdAt: at(2) });
    expect(await ids('capybara')).toEqual([young, old, text]);
  });

  it('finds a phrase behind thousands of newer texts with its words in another order', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const old = await makeActivity(db, open, member, { body: 'the patient numbat sleeps', createdAt: at(900) });
    await sql`
      select count(put_search_document('post', gen_random_uuid()::text, 'en', null, 'a numbat, and who is patient ' || n,
        now() - n * interval '1 minute', ${open.id})::text)
      from generate_series(1, 8100) n`.execute(db);
    expect(await ids('"patient numbat"', undefined, { group: 'posts' })).toEqual([old]);
    const young = await makeActivity(db, open, member, { body: 'the patient numbat wakes' });
    expect(await ids('"patient numbat"', undefined, { group: 'posts' })).toEqual([young, old]);
    expect(await ids('"patient numbat" -wakes', undefined, { group: 'posts' })).toEqual([old]);
    await sql`delete from search_documents where body like 'a numbat, and%'`.execute(db);
  });

  it('finds titles with similar spelling when no text matches', async () => {
    const id = await makeActivity(db, open, member, { title: 'Procurement thresholds' });
    expect(await ids('procurment treshold')).toEqual([id]);
    expect(await ids('procurment tershold')).toEqual([id]);
    expect(await ids('thresholds qqqq')).toEqual([id]);
    const isNearly = async (q: string) => (await test.call(search, undefined, { query: { q } })).body.isNearly;
    expect([
      await isNearly('procurment treshold'),
      await isNearly('procurement thresholds'),
      await isNearly('qqqq'),
    ]).toEqual([true, false, false]);
  });

  it('pages one group, and returns five of each otherwise', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1)
      made.unshift(
        await makeActivity(db, open, member, { body: 'axolotl', createdAt: new Date(Date.now() - (7 - n) * 1000) }),
      );
    const groups = await find('axolotl');
    expect(groups.map(({ group, results, more }) => [group, results.length, more])).toEqual([
      ['learning', 0, false],
      ['communities', 0, false],
      ['posts', 5, true],
      ['articles', 0, false],
      ['people', 0, false],
    ]);
    const page = (offset: number) => find('axolotl', undefined, { group: 'posts', limit: 3, offset });
    const pages = [...(await page(0)), ...(await page(3)), ...(await page(6))];
    expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
    expect(pages.flatMap(({ results }) => results.map(({ id }) => id)).toSorted()).toEqual(made.toSorted());
  });

  it.each([
    "'",
    '"',
    '"unclosed',
    '-',
    '- -',
    'or',
    ':*',
    '& | ! <->',
    '\\',
    '%_',
    '🦀',
    '​',
    'a\u0002b',
    '((',
    '<b>',
    '-'.repeat(33),
    '- ('.repeat(40),
  ])('answers %j', async (q) => void (await find(q, member.as)));
});

describe('search with filters', () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const day = (days: number) => ago(days).toISOString().slice(0, 10);
  let other: TestCommunity;
  let texts: Record<'young' | 'old' | 'french' | 'elsewhere' | 'byAnother' | 'reply', string>;

  beforeAll(async () => {
    other = await makeCommunity(db, { title: { en: 'Tapir keepers' } });
    await makeMember(db, other, member);
    const young = await makeActivity(db, open, member, { title: 'A tapir', body: 'tapir', createdAt: ago(2) });
    texts = {
      young,
      old: await makeActivity(db, open, member, { body: 'tapir', createdAt: ago(40) }),
      french: await makeActivity(db, open, member, { body: 'un tapir', locale: 'fr', createdAt: ago(400) }),
      elsewhere: await makeActivity(db, other, member, { body: 'tapir', createdAt: ago(20) }),
      byAnother: await makeActivity(db, open, stranger, { body: 'tapir', createdAt: ago(3) }),
      reply: await makeReaction(db, open, { activityId: young }, stranger, { body: 'My tapir' }),
    };
    await makeCourse(test, { title: { en: 'Tapir care', fr: 'Soigner un tapir' } });
    await makePerson(test, { name: 'Tapir Person', visibility: 'public' });
  });

  const names = async (filters: Filters, as: As | undefined = member.as) => {
    const found = new Set(await ids('tapir', as, filters));
    return Object.entries(texts)
      .flatMap(([name, id]) => (found.delete(id) ? [name] : []))
      .concat([...found].map(() => '?'));
  };

  it('narrows by language, in every group but people', async () => {
    expect(await names({ language: 'fr' })).toEqual(['french', '?']);
    const groups = await find('tapir', member.as, { language: 'fr' });
    expect(groups.map(({ group, results }) => [group, results.length])).toEqual([
      ['learning', 1],
      ['communities', 0],
      ['posts', 1],
      ['articles', 0],
      ['people', 0],
    ]);
    expect(groups[0]?.results[0]?.locale).toBe('fr');
  });

  it('narrows by community', async () => {
    expect(await names({ community: other.slug })).toEqual(['elsewhere', '?']);
    expect(await names({ community: open.slug })).toEqual(['young', 'old', 'french', 'byAnother', 'reply']);
  });

  it('narrows by author', async () => {
    expect(await names({ author: stranger.id })).toEqual(['byAnother', 'reply']);
    expect(await names({ author: stranger.id.toUpperCase(), community: other.slug })).toEqual([]);
    expect(await names({ author: stranger.id }, {})).toEqual(['byAnother']);
  });

  it('narrows by time', async () => {
    expect(await names({ within: 'week' })).toEqual(['young', 'byAnother', 'reply']);
    expect(await names({ within: 'month' })).toEqual(['young', 'elsewhere', 'byAnother', 'reply']);
    expect(await names({ within: 'year' })).toEqual(['young', 'old', 'elsewhere', 'byAnother', 'reply']);
    expect(await names({ from: day(20), to: day(3) })).toEqual(['elsewhere', 'byAnother']);
    expect(await names({ to: day(40) })).toEqual(['old', 'french']);
    expect(await names({ from: day(1), to: day(40) })).toEqual([]);
    expect(await names({ from: '9999-12-31' })).toEqual([]);
    expect(await ids('tapir', member.as, { to: '9999-12-31', group: 'posts', limit: 50 })).toHaveLength(6);
  });

  it('combines filters, pages within them, and applies them to similar titles', async () => {
    expect(await names({ within: 'month', author: member.id, community: open.slug, language: 'en' })).toEqual([
      'young',
    ]);
    const [page] = await find('tapir', member.as, { group: 'posts', limit: 2, offset: 2, within: 'month' });
    expect([page?.results.length, page?.more]).toEqual([2, false]);
    const near = await makeActivity(db, open, member, { title: 'Salamanders', body: 'Here' });
    for (const filters of [{}, { author: member.id }, { community: open.slug }, { within: 'week' }, { language: 'en' }])
      expect([filters, await ids('salamandors', member.as, filters)]).toEqual([filters, [near]]);
    for (const filters of [{ author: stranger.id }, { community: other.slug }, { to: day(9) }, { language: 'fr' }])
      expect([filters, await ids('salamandors', member.as, filters)]).toEqual([filters, []]);
  });

  it('answers for a hidden community or author as for one that does not exist', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden', title: { en: 'Tapir secrets' } });
    await makeMember(db, hidden, member);
    const secret = await makeActivity(db, hidden, member, { title: 'Tapir', body: 'tapir' });
    const erased = await makePerson(test);
    await makeActivity(db, open, erased, { body: 'tapir', createdAt: ago(800) });
    await db.updateTable('users').set({ erased_at: new Date() }).where('id', '=', erased.id).execute();
    const answer = async (filters: Filters, as?: As) =>
      await test.call(search, as, { query: { q: 'tapir', ...filters } });
    const body = async (filters: Filters, as?: As) => JSON.stringify((await answer(filters, as)).body);
    expect(await ids('tapir', member.as, { community: hidden.slug })).toEqual([hidden.id, secret]);
    for (const as of [undefined, stranger.as, administrator.as]) {
      const nothing = await body({ community: 'no-such-community' }, as);
      expect(await body({ community: hidden.slug }, as)).toBe(nothing);
      expect(await body({ community: hidden.slug, author: member.id }, as)).toBe(nothing);
      expect(await body({ author: erased.id }, as)).toBe(nothing);
      expect(await body({ author: '00000000-0000-7000-8000-000000000000' }, as)).toBe(nothing);
    }
  });

  it('does the same work for a hidden community or author as for one that does not exist', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden', title: { en: 'Tapirs unseen' } });
    await makeActivity(db, hidden, member, { body: 'tapir' });
    const countWhile = countQueries(test);
    const count = async (filters: Filters & { group?: Group }) =>
      await countWhile(async () => await test.call(search, stranger.as, { query: { q: 'tapir', ...filters } }));
    await count({}); // caches the session
    expect(await count({ community: hidden.slug })).toBe(await count({ community: 'no-such-community' }));
    const nobody = '00000000-0000-7000-8000-000000000000';
    expect(await count({ community: hidden.slug, author: member.id })).toBe(
      await count({ community: hidden.slug, author: nobody }),
    );
    // Filters cost no round trip of their own.
    expect(await count({ community: open.slug, within: 'week' })).toBe(await count({ group: 'posts' }));
  });

  it.each([
    { language: 'xx' },
    { community: '' },
    { author: 'me' },
    { within: 'day' },
    { from: '2026-02-30' },
    { to: '31.12.2026' },
    { from: '0000-01-01' },
  ])('refuses %j', async (filters) => {
    const answer = await test.call(search, undefined, { query: { q: 'tapir', ...(filters as object) } });
    expect([answer.status, answer.body.code]).toEqual([400, 'request.invalid']);
  });
});

describe('toPieces', () => {
  it('splits a marked text into pieces', () => {
    expect(toPieces('')).toEqual([]);
    expect(toPieces('a \u0002b\u0003 c')).toEqual([
      { text: 'a ', isMatch: false },
      { text: 'b', isMatch: true },
      { text: ' c', isMatch: false },
    ]);
    expect(toPieces('\u0002手\u0003\u200b \u0002続\u200b\u0003 き')).toEqual([
      { text: '手続', isMatch: true },
      { text: 'き', isMatch: false },
    ]);
  });
});
