import { createHttp, isOk, type Http } from './http.ts';
import type { Loaded } from './load.ts';
import { judge, type Verdict } from './ledger.ts';
import { inCommunity } from './writes.ts';
import { ask, CATEGORIES, type Person, type Fixture } from './fixture.ts';

const PAGE = 100;

/** Processes the list in parallel with a limited number of workers. */
async function eachOf<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...list];
  const worker = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Reads everything the load may have written back through the API and counts each mark. */
export async function readBack(fixture: Fixture, url: string): Promise<Map<string, number>> {
  const http = createHttp([url]);
  const found = new Map<string, number>();
  const note = (mark: string) => void found.set(mark, (found.get(mark) ?? 0) + 1);
  const { people, forum, wall, polls } = fixture;
  const [viewer] = people;
  if (!viewer) throw new Error('the fixture has no people');
  try {
    const feed = `${inCommunity(forum)}/activities?ranking=recent_with_pin`;
    let { total } = await get(http, viewer, `${feed}&limit=1`);
    for (const category of CATEGORIES)
      await readPages(http, viewer, `${feed}&category=${encodeURIComponent(category)}`, 'results', ({ title }) => {
        note(`post ${title}`);
        total -= 1;
      });
    if (total !== 0) note(`post without exactly one category: ${total}`);
    await readPages(http, viewer, '/api/content/articles?', 'articles', ({ title }) => {
      if (/^Article [0-9a-f-]{36}$/.test(title)) note(`article ${title}`);
    });
    await eachOf(wall.posts, async (post) => {
      const path = `${inCommunity(wall.slug)}/activities/${post}/reactions?limit=${PAGE}`;
      await readReactions(http, viewer, `${path}&kind=reply`, (one) => note(`reply ${one.body}`));
      await readReactions(http, viewer, `${path}&kind=like`, (one) => note(`like ${post} ${one.user_id}`));
    });
    await eachOf(people, async (person) => {
      await readPages(http, person, `${inCommunity(polls.slug)}/activities?`, 'results', ({ poll }) => {
        for (const { optionId } of poll.ownVotes) note(`vote ${optionId} ${person.id}`);
      });
      const { lessons } = await get(http, person, '/api/learner/learners/me/lessons');
      for (const { lessonSlug, courseSlug } of lessons)
        if (courseSlug === fixture.course.slug) note(`completion ${lessonSlug} ${person.id}`);
      const { journeys } = await get(http, person, '/api/learner/learners/me/journeys');
      for (const { journeySlug, courseSlug } of journeys)
        if (courseSlug === fixture.open.slug) note(`enrolment ${journeySlug} ${person.id}`);
    });
  } finally {
    await http.close();
  }
  return found;
}

// any: responses of operations with a known shape
export async function get(http: Http, { cookie }: Person, path: string): Promise<any> {
  const answer = await http.send({ method: 'GET', path, cookie });
  if (!isOk(answer)) throw new Error(`GET ${path}: ${JSON.stringify(answer).slice(0, 300)}`);
  return JSON.parse(answer.text);
}

async function readPages(http: Http, person: Person, path: string, list: string, each: (one: any) => void) {
  for (let offset = 0; ; offset += PAGE) {
    const page = (await get(http, person, `${path}&limit=${PAGE}&offset=${offset}`))[list];
    for (const one of page) each(one);
    if (page.length < PAGE) return;
  }
}

async function readReactions(http: Http, person: Person, path: string, each: (one: any) => void) {
  for (let before = ''; ;) {
    const { results } = await get(http, person, before ? `${path}&id_lt=${before}` : path);
    for (const one of results) each(one);
    if (results.length < PAGE) return;
    before = results.at(-1).id;
  }
}

/** Queries that count wrong values, for every counter stored beside the rows it counts. */
const COUNTERS: Record<string, string> = {
  'likes of posts': `select count(*)::int as wrong from activities a where a.deleted_at is null and like_count <>
    (select count(*) from reactions r where r.activity_id = a.id and r.parent_id is null and r.kind = 'like' and r.deleted_at is null)`,
  'replies to posts': `select count(*)::int as wrong from activities a where a.deleted_at is null and reply_count <>
    (select count(*) from reactions r where r.activity_id = a.id and r.parent_id is null and r.kind = 'reply' and r.deleted_at is null)`,
  'points of posts': `select count(*)::int as wrong from activities a where a.deleted_at is null and a.community_id is not null and people_points <>
    (select coalesce(sum(case p.kind when 'like' then 1 when 'reply' then 2 else 3 end), 0) from activity_people p
     where p.activity_id = a.id)`,
  'likes and replies of replies': `select count(*)::int as wrong from reactions a where a.deleted_at is null and (like_count, reply_count) <>
    (select count(*) filter (where r.kind = 'like')::int, count(*) filter (where r.kind = 'reply')::int
     from reactions r where r.parent_id = a.id and r.deleted_at is null)`,
  'votes of options': `select count(*)::int as wrong from poll_options o where vote_count <>
    (select count(*) from poll_votes v where v.option_id = o.id)`,
  'votes and voters of polls': `select count(*)::int as wrong from polls p where (vote_count, voter_count) <>
    (select count(*)::int, count(distinct user_id)::int from poll_votes v where v.poll_id = p.id)`,
  'members of communities': `select count(*)::int as wrong from communities c where member_count <>
    (select count(*) from community_members m where m.community_id = c.id and m.status = 'active')`,
  'posts of communities': `select count(*)::int as wrong from communities c where activity_count(c.id) <>
    (select count(*) from activities a where a.community_id = c.id and a.deleted_at is null)`,
  'tallies of people': `select (select count(*) from users where erased_at is null)
    - (select coalesce(sum(n), 0) from tallied where thing = 'people') <> 0 as wrong`,
  'idempotency keys without a stored answer': `select count(*)::int as wrong from idempotency_keys where status is null`,
};

/** The counters that differ from their rows, read directly from the database. */
export async function findCounterDrift(databaseUrl: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [what, text] of Object.entries(COUNTERS)) {
    const [row] = await ask<{ wrong: number | boolean }>(databaseUrl, text);
    if (Number(row?.wrong ?? 1) > 0) wrong.push(`${what}: ${Number(row?.wrong)}`);
  }
  return wrong;
}

export type Account = Verdict & { missed: Loaded['missed']; verified: number; wrong: string[] };

/** Reads everything back, through the API and from the database, and judges the ledger. */
export async function settle(
  loaded: Loaded,
  { fixture, url, databaseUrl }: { fixture: Fixture; url: string; databaseUrl: string },
): Promise<Account> {
  const verdict = judge(loaded.writes, await readBack(fixture, url));
  return { ...verdict, missed: loaded.missed, verified: loaded.verified, wrong: await findCounterDrift(databaseUrl) };
}
