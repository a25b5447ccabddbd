import {
  createArticle,
  deleteArticle,
  listArticles,
  readArticle,
  RESTORE_DAYS,
  restoreArticle,
  updateArticle,
} from '@officium/contract/content';
import { shareArticle } from '@officium/contract/shares';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const { db } = test.ctx;
const author = await makePerson(test);
const other = await makePerson(test);
const administrator = await makePerson(test, { role: 'administrator' });

const article = {
  title: 'Quokkas at the counter',
  subtitle: 'What we learned from the queue',
  body: 'We counted quokkas.',
};

const publish = async (as = author.as): Promise<string> =>
  (await test.call(createArticle, as, { body: article })).body.slug;
const read = async (slug: string, as = {}) => await test.call(readArticle, as, { params: { slug } });
const remove = async (slug: string, as = author.as) =>
  (await test.call(deleteArticle, as, { params: { slug } })).status;
const restore = async (slug: string, as = author.as) =>
  (await test.call(restoreArticle, as, { params: { slug } })).status;
const listed = async (slug: string) =>
  (await test.call(listArticles)).body.articles.some((card: { slug: string }) => card.slug === slug);
async function found(): Promise<number> {
  const { groups } = (await test.call(search, other.as, { query: { q: 'quokkas' } })).body;
  return groups.flatMap(({ results }: { results: object[] }) => results).length;
}
const publishedPages = async () => (await test.app.inject({ url: '/articles/feed.xml' })).body;
const countOf = async (slug: string) =>
  (await db.selectFrom('articles').select('id').where('slug', '=', slug).execute()).length;

async function age(slug: string, days: number): Promise<void> {
  const withdrawn_at = sql<Date>`now() - make_interval(days => ${days})`;
  await db.updateTable('articles').set({ withdrawn_at }).where('slug', '=', slug).execute();
}

describe('deleteArticle', () => {
  it('removes the article at once from its address, lists, search and feeds', async () => {
    const slug = await publish();
    expect([await listed(slug), await found(), (await publishedPages()).includes(slug)]).toEqual([true, 1, true]);
    expect(await remove(slug)).toBe(204);
    expect([await listed(slug), await found(), (await publishedPages()).includes(slug)]).toEqual([false, 0, false]);
    for (const as of [{}, other.as, administrator.as]) expect((await read(slug, as)).status).toBe(404);
    expect(await remove(slug)).toBe(404);
    expect((await test.call(updateArticle, author.as, { params: { slug }, body: article })).status).toBe(404);
    const shared = { title: 'Worth reading', communities: ['some-community'] };
    expect((await test.call(shareArticle, author.as, { params: { slug }, body: shared })).status).toBe(404);
    expect((await test.call(listArticles, author.as, { query: { mine: true } })).body.total).toBe(0);
  });

  it('shows a deleted article to its author alone', async () => {
    const slug = await publish();
    await remove(slug);
    const { status, body } = await read(slug, author.as);
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: article.title, can: { edit: false, delete: false } });
    const days = (Date.parse(body.restorableUntil) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(RESTORE_DAYS - 1);
    expect(days).toBeLessThanOrEqual(RESTORE_DAYS);
  });

  it('is limited to the author', async () => {
    const slug = await publish();
    expect(await remove(slug, {})).toBe(401);
    expect(await remove(slug, other.as)).toBe(403);
    expect(await remove(slug, administrator.as)).toBe(403);
    expect(await remove('unknown-1')).toBe(404);
    expect((await read(slug)).status).toBe(200);
  });

  it('takes effect once when repeated at the same time', async () => {
    const slug = await publish();
    const answers = await Promise.all([remove(slug), remove(slug), remove(slug)]);
    expect(answers.toSorted()).toEqual([204, 404, 404]);
  });
});

describe('restoreArticle', () => {
  it('restores the article with its address and date', async () => {
    const slug = await publish();
    const before = (await read(slug)).body;
    await remove(slug);
    expect(await restore(slug)).toBe(204);
    expect((await read(slug)).body).toEqual(before);
    expect(await listed(slug)).toBe(true);
    expect(await restore(slug)).toBe(404);
  });

  it('is limited to the author, for thirty days', async () => {
    const slug = await publish();
    await remove(slug);
    expect(await restore(slug, {})).toBe(401);
    expect(await restore(slug, other.as)).toBe(404);
    expect(await restore(slug, administrator.as)).toBe(404);
    expect(await restore('unknown-1')).toBe(404);
    await age(slug, RESTORE_DAYS);
    expect(await restore(slug)).toBe(404);
    expect((await read(slug, author.as)).status).toBe(404);
  });

  it('does not restore what somebody else withdrew', async () => {
    const slug = await publish();
    const withdrawn = { withdrawn_at: new Date(), withdrawn_by: administrator.id };
    await db.updateTable('articles').set(withdrawn).where('slug', '=', slug).execute();
    expect(await restore(slug)).toBe(404);
    expect((await read(slug, author.as)).status).toBe(404);
  });
});

describe('sweeping', () => {
  it('deletes for good what can no longer be restored, and nothing else', async () => {
    const [over, recent, ofAnother] = [await publish(), await publish(), await publish()];
    for (const slug of [over, recent]) await remove(slug);
    await age(over, RESTORE_DAYS + 1);
    await age(ofAnother, RESTORE_DAYS + 1);
    await sweepJob.run(test.ctx, {});
    expect([await countOf(over), await countOf(recent), await countOf(ofAnother)]).toEqual([0, 1, 1]);
  });
});
