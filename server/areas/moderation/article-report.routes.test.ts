import {
  createArticle,
  deleteArticle,
  listArticles,
  readArticle,
  restoreArticle,
  updateArticle,
} from '@officium/contract/content';
import { listActivities } from '@officium/contract/community';
import {
  appealDecision,
  decideAppeal,
  listAppeals,
  listMyDecisions,
  listMyReports,
  readDecision,
} from '@officium/contract/decisions';
import { decideReports, listReports, reportContent } from '@officium/contract/moderation';
import { claimCase, listCases } from '@officium/contract/moderation-office';
import { listNotifications } from '@officium/contract/notifications';
import { eraseUser } from '@officium/contract/people';
import { search } from '@officium/contract/search';
import { shareArticle } from '@officium/contract/shares';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

async function setUp() {
  const people = {
    author: await makePerson(test),
    one: await makePerson(test),
    two: await makePerson(test, { role: 'non-public-servant' }),
    admin: await makePerson(test, { role: 'administrator' }),
    second: await makePerson(test, { role: 'administrator' }),
  };
  const word = `w${newId().slice(-8)}`;
  const body = { title: `About ${word}`, subtitle: 'What it is', body: 'With *words*' };
  const { slug } = (await test.call(createArticle, people.author.as, { body })).body as { slug: string };
  const { id } = (await test.call(readArticle, people.one.as, { params: { slug } })).body as { id: string };
  return { ...people, word, slug, article: { kind: 'article', id } };
}

const report = (person: TestPerson | undefined, body: object) => test.call(reportContent, person?.as, { body });
const decide = (person: TestPerson | undefined, body: object) => test.call(decideReports, person?.as, { body });
const list = (person: TestPerson | undefined) => test.call(listReports, person?.as, { query: { articles: 'true' } });
const read = async (slug: string, as = {}) => await test.call(readArticle, as, { params: { slug } });
const remove = { decision: 'remove', reason: 'false', note: 'It misleads' };
const notificationsOf = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as, { query: {} })).body.notifications as {
    event: string;
    path: string;
  }[];
const decisionOf = async (person: TestPerson) =>
  (await test.call(listMyDecisions, person.as, { query: {} })).body.decisions[0] as { id: string };
const mine = <T extends { id: string }>(things: T[], id: string) => things.filter((thing) => thing.id === id);

describe('reportContent about an article', () => {
  it('stores one report per person, whose reporter is never revealed', async () => {
    const { one, two, author, admin, slug, article, word } = await setUp();
    expect((await report(one, { ...article, reason: 'spam' })).status).toBe(201);
    expect((await report(one, { ...article, reason: 'false', note: 'No source' })).body).toMatchObject({
      reason: 'false',
    });
    expect((await report(two, { ...article, reason: 'hate' })).status).toBe(201);
    const { status, body } = await list(admin);
    expect(status).toBe(200);
    expect(listReports.replies[200].parse(body)).toEqual(body);
    expect(mine(body.things, article.id)).toMatchObject([
      {
        ...article,
        activityId: article.id,
        article: { slug, title: `About ${word}` },
        title: `About ${word}`,
        actor: { id: author.id },
        lesson: null,
        reports: [{ reason: 'false', note: 'No source' }, { reason: 'hate' }],
        canRemove: true,
      },
    ]);
    for (const person of [one, two])
      for (const secret of [person.id, person.name]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('requires an account other than its author’s, and an article that is published', async () => {
    const { one, author, slug, article } = await setUp();
    expect((await report(undefined, { ...article, reason: 'spam' })).status).toBe(401);
    expect((await report(author, { ...article, reason: 'spam' })).status).toBe(403);
    expect((await report(one, { ...article, reason: 'other' })).status).toBe(400);
    expect((await report(one, { ...article, reason: 'spam', rule: 1 })).status).toBe(400);
    expect((await report(one, { ...article, id: newId(), reason: 'spam' })).status).toBe(404);
    expect((await report(one, { ...article, kind: 'activity', reason: 'spam' })).status).toBe(404);
    const community = await makeCommunity(db);
    await makeMember(db, community, one);
    expect((await report(one, { ...article, community: community.slug, reason: 'spam' })).status).toBe(404);
    expect((await read(slug, author.as)).body.can).toMatchObject({ report: false });
    expect((await read(slug, one.as)).body.can).toMatchObject({ report: true, moderate: false });
    expect((await read(slug)).body.can).toMatchObject({ report: false });
    await test.call(deleteArticle, author.as, { params: { slug } });
    expect((await report(one, { ...article, reason: 'spam' })).status).toBe(404);
  });
});

describe('decideReports about an article', () => {
  it('keeps it and closes its reports', async () => {
    const { one, admin, slug, article } = await setUp();
    await report(one, { ...article, reason: 'spam' });
    expect((await decide(admin, { ...article, decision: 'dismiss' })).body).toEqual({ decided: 1 });
    expect((await decide(admin, { ...article, decision: 'dismiss' })).status).toBe(404);
    expect((await read(slug)).status).toBe(200);
    expect(await notificationsOf(one)).toContainEqual(
      expect.objectContaining({ event: 'report_outcome', path: '/me/moderation' }),
    );
    expect((await test.call(listMyReports, one.as, { query: {} })).body.reports).toMatchObject([
      { kind: 'article', status: 'dismissed', article: { slug } },
    ]);
  });

  it('removes it from its address, lists, search, feeds and shares, and a reversal restores it', async () => {
    const { one, author, admin, second, slug, article, word } = await setUp();
    const community = await makeCommunity(db);
    await makeMember(db, community, one);
    const shared = { title: 'Worth reading', communities: [community.slug] };
    expect((await test.call(shareArticle, one.as, { params: { slug }, body: shared })).status).toBe(201);
    const shown = async () => {
      const listed = await test.call(listArticles, {}, { query: { author: author.id } });
      const { groups } = (await test.call(search, one.as, { query: { q: word } })).body;
      const cards = await test.call(listActivities, one.as, { params: { slug: community.slug }, query: {} });
      const feed = await test.app.inject({ url: '/articles/feed.xml' });
      const sitemap = await test.app.inject({ url: '/sitemaps/articles-1.xml' });
      return {
        article: (await read(slug, one.as)).status,
        listed: listed.body.total,
        found: groups.flatMap(({ results }: { results: object[] }) => results).length,
        card: cards.body.results[0].additional_data.article?.slug ?? null,
        title: cards.body.results[0].title,
        feed: feed.body.includes(slug),
        sitemap: sitemap.body.includes(slug),
      };
    };
    const before = await shown();
    expect(before).toMatchObject({ article: 200, listed: 1, found: 1, card: slug, feed: true });
    expect((await decide(admin, { ...article, ...remove })).body).toEqual({ decided: 0 });
    expect(await shown()).toEqual({
      article: 404,
      listed: 0,
      found: 0,
      card: null,
      title: 'Worth reading',
      feed: false,
      sitemap: false,
    });
    // Its author can neither read, change nor restore it.
    const params = { slug };
    expect((await read(slug, author.as)).status).toBe(404);
    expect((await test.call(restoreArticle, author.as, { params })).status).toBe(404);
    expect((await test.call(deleteArticle, author.as, { params })).status).toBe(404);
    const body = { title: 'Another title', subtitle: 'Another subtitle', body: 'What there is to say.' };
    expect((await test.call(updateArticle, author.as, { params, body })).status).toBe(404);

    const { id } = await decisionOf(author);
    const appeal = { params: { id }, body: { text: 'It has a source.' } };
    expect((await test.call(appealDecision, author.as, appeal)).status).toBe(201);
    const waiting = async (person: TestPerson) =>
      await test.call(listAppeals, person.as, { query: { articles: 'true' } });
    expect((await waiting(one)).status).toBe(403);
    expect(mine((await waiting(admin)).body.appeals, id)).toMatchObject([{ canDecide: false }]);
    expect(mine((await waiting(second)).body.appeals, id)).toMatchObject([{ canDecide: true, article: { slug } }]);
    const settle = async (person: TestPerson) =>
      (await test.call(decideAppeal, person.as, { params: { id }, body: { outcome: 'reversed' } })).body;
    expect(await settle(admin)).toMatchObject({ code: 'moderation.same_person' });
    expect(await settle(second)).toMatchObject({ isRestored: true });
    expect(await settle(second)).toMatchObject({ code: 'moderation.outcome_known' });
    expect(await shown()).toEqual(before);
  });

  it('tells its author why, without naming anybody', async () => {
    const { one, author, admin, article, word } = await setUp();
    await report(one, { ...article, reason: 'false' });
    await decide(admin, { ...article, ...remove });
    const { id } = await decisionOf(author);
    expect(await notificationsOf(author)).toContainEqual(
      expect.objectContaining({ event: 'moderation', path: `/moderation/${id}` }),
    );
    const statement = (await test.call(readDecision, author.as, { params: { id } })).body;
    expect(readDecision.replies[200].parse(statement)).toEqual(statement);
    expect(statement).toMatchObject({
      kind: 'article',
      note: 'It misleads',
      byReport: true,
      text: { title: `About ${word}` },
      can: { appeal: true },
    });
    for (const secret of [one.id, one.name, admin.id, admin.name])
      expect(JSON.stringify(statement)).not.toContain(secret);
    expect((await test.call(readDecision, one.as, { params: { id } })).status).toBe(404);
    // The reporter learns the outcome, and no longer the title.
    expect((await test.call(listMyReports, one.as, { query: {} })).body.reports).toMatchObject([
      { kind: 'article', status: 'removed', article: null },
    ]);
    const { rows } = await sql`select action from audit_log where object = ${article.id}`.execute(db);
    expect(rows).toEqual([{ action: 'articles.remove-article' }]);
  });

  it('requires an administrator who did not write it', async () => {
    const { one, author, admin, article } = await setUp();
    await report(one, { ...article, reason: 'spam' });
    expect((await list(undefined)).status).toBe(401);
    for (const person of [one, author]) {
      expect((await list(person)).status).toBe(403);
      expect((await decide(person, { ...article, ...remove })).status).toBe(403);
    }
    expect((await decide(admin, { ...article, id: newId(), ...remove })).status).toBe(404);
    const body = { title: 'By the administration', subtitle: 'What it is about', body: 'What there is to say.' };
    const { slug } = (await test.call(createArticle, admin.as, { body })).body as { slug: string };
    const { id } = (await read(slug)).body as { id: string };
    await report(one, { ...article, id, reason: 'spam' });
    expect(mine((await list(admin)).body.things, id)).toEqual([]);
    for (const decision of [remove, { decision: 'dismiss' }])
      expect((await decide(admin, { ...article, id, ...decision })).status).toBe(403);
  });

  it('takes effect once when two administrators decide concurrently, and not while another has taken the case', async () => {
    const { one, author, admin, second, article } = await setUp();
    await report(one, { ...article, reason: 'spam' });
    const claim = async (person: TestPerson, take = true) =>
      (await test.call(claimCase, person.as, { body: { ...article, take } })).status;
    expect([await claim(one), await claim(admin), await claim(second)]).toEqual([403, 200, 409]);
    expect((await decide(second, { ...article, ...remove })).body).toMatchObject({ code: 'moderation.taken' });
    expect(await claim(admin, false)).toBe(200);
    const both = await Promise.all([admin, second].map((person) => decide(person, { ...article, ...remove })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await test.call(listMyDecisions, author.as, { query: {} })).body.total).toBe(1);
  });

  it('is among the cases of administrators', async () => {
    const { one, admin, slug, article } = await setUp();
    await report(one, { ...article, reason: 'spam' });
    const cases = async (state: string) =>
      mine(
        (await test.call(listCases, admin.as, { query: { kind: 'article', state, limit: 100 } })).body.cases,
        article.id,
      );
    expect(await cases('waiting')).toMatchObject([{ kind: 'article', article: { slug }, community: null, reports: 1 }]);
    await decide(admin, { ...article, ...remove });
    expect(await cases('waiting')).toEqual([]);
    expect(await cases('decided')).toMatchObject([{ status: 'removed', reports: 1 }]);
  });
});

it('deletes a removed article with its author, or after half a year', async () => {
  const [first, later] = [await setUp(), await setUp()];
  for (const { admin, article } of [first, later]) await decide(admin, { ...article, ...remove });
  const { id } = await decisionOf(later.author);
  expect((await test.call(eraseUser, first.admin.as, { params: { id: first.author.id } })).status).toBeLessThan(300);
  await sql`update articles set withdrawn_at = now() - interval '7 months' where id = ${later.article.id}`.execute(db);
  await sql`update moderation_decisions set decided_at = now() - interval '7 months' where id = ${id}`.execute(db);
  await sweepJob.run(test.ctx, {});
  const ids = [first.article.id, later.article.id];
  expect(await db.selectFrom('articles').select('id').where('id', 'in', ids).execute()).toEqual([]);
  expect((await test.call(readDecision, later.author.as, { params: { id } })).body).toMatchObject({
    kind: 'article',
    text: null,
    article: null,
  });
});
