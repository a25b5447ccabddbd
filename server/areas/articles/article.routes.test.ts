import {
  ARTICLE_TAGS,
  createArticle,
  listArticles,
  previewArticle,
  readArticle,
  updateArticle,
} from '@officium/contract/content';
import { describe, expect, it, vi } from 'vitest';
import { createTestApp, itInProcess, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { slugBase, slugCandidates } from './article-slug.policy.ts';

const test = await createTestApp();
const author = await makePerson(test, { name: 'Priya' });
const other = await makePerson(test, { name: 'Sam', visibility: 'private' });

const article = {
  title: 'A letter people can use',
  subtitle: 'What changed when we watched it being read',
  body: 'We wrote it **three** times before it worked.',
  tags: ['topic_LifeInGovernment'],
};
const cover = {
  url: 'https://images.example.org/a.jpg',
  height: 800,
  width: 1200,
  authorName: 'Somebody',
  authorLink: 'https://images.example.org/somebody',
};
const create = (body: object, as = author.as) => test.call(createArticle, as, { body });
const read = async (slug: string, as = {}) => await test.call(readArticle, as, { params: { slug } });

describe('createArticle', () => {
  itInProcess('fails with content.slug_taken when no free slug is found', async () => {
    using dice = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const title = 'A title everybody has thought of';
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await create({ ...article, title }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 503]);
    expect(answers[2]?.body.code).toBe('content.slug_taken');
    expect(dice).toHaveBeenCalled();
  });

  it('publishes an article and derives slug, HTML and reading time', async () => {
    const { status, body } = await create({ ...article, coverImage: cover, tldr: ' Watch people. ' });
    expect(status).toBe(201);
    expect(createArticle.replies[201].parse(body)).toEqual(body);
    expect(body.slug).toMatch(/^a-letter-people-can-use-([1-9]\d{0,2}|1000)$/);
    const found = await read(body.slug);
    expect(readArticle.replies[200].parse(found.body)).toEqual(found.body);
    expect(found.body).toMatchObject({
      ...article,
      seoTitle: article.title,
      seoDescription: article.subtitle,
      authorTag: 'Community post',
      type: 'from-the-community',
      humanTranslation: true,
      tldr: 'Watch people.',
      locale: 'en',
      minutes: 1,
      coverImage: {
        ...cover,
        title: null,
        description: null,
        color: null,
      },
      author: {
        id: author.id,
        name: 'Priya',
      },
      restorableUntil: null,
      can: { edit: false, delete: false },
    });
    expect(Date.now() - Date.parse(found.body.publishedDate)).toBeLessThan(60_000);
    expect((await read(body.slug, author.as)).body.can).toEqual({
      edit: true,
      delete: true,
      moderate: false,
      report: false,
    });
  });

  it('counts code points after trimming, at both ends of each limit', async () => {
    const face = '🧑🏽‍💼'; // four code points
    const status = async (change: object) => (await create({ ...article, ...change })).status;
    expect(await status({ title: '123456789' })).toBe(400);
    expect(await status({ title: '  1234567890  ' })).toBe(201);
    expect(await status({ title: `${face}${'x'.repeat(61)}` })).toBe(201);
    expect(await status({ title: 'x'.repeat(66) })).toBe(400);
    expect(await status({ subtitle: 'x'.repeat(9) })).toBe(400);
    expect(await status({ subtitle: 'x'.repeat(115) })).toBe(201);
    expect(await status({ subtitle: 'x'.repeat(116) })).toBe(400);
    expect(await status({ body: ' x'.repeat(4) })).toBe(400);
    expect(await status({ body: 'x'.repeat(10) })).toBe(201);
    expect(await status({ body: 'x'.repeat(70_000) })).toBe(400);
    expect(await status({ tags: ARTICLE_TAGS.slice(0, 3) })).toBe(201);
    expect(await status({ tags: ARTICLE_TAGS.slice(0, 4) })).toBe(400);
  });

  it('applies limits to the visible stored text', async () => {
    for (const [change, path, message] of [
      [{ title: '\u200b'.repeat(20) }, 'title', 'Title must have at least 10 characters'],
      [{ subtitle: '\u2060\u3164'.repeat(20) }, 'subtitle', 'Subtitle must have at least 10 characters'],
      // Unicode normalisation turns this letter into three code points.
      [{ title: '\uFB2C'.repeat(22) }, 'title', 'Title must have at most 65 characters'],
      [{ subtitle: '\uFB2C'.repeat(39) }, 'subtitle', 'Subtitle must have at most 115 characters'],
    ] as const) {
      const { status, body } = await create({ ...article, ...change });
      expect([status, body.issues]).toEqual([400, [{ path, message }]]);
    }
    expect((await create({ ...article, title: '\uFB2C'.repeat(21) })).status).toBe(201);
  });

  it('refuses malformed input and names the field', async () => {
    const wrong: [object, string][] = [
      [{ title: undefined }, 'title'],
      [{ title: 7 }, 'title'],
      [{ subtitle: null }, 'subtitle'],
      [{ body: {} }, 'body'],
      [{ tags: ['topic_Nonsense'] }, 'tags.0'],
      [{ tags: 'topic_Climate' }, 'tags'],
      [{ tags: ['Climate', 'topic_Climate'] }, 'tags'],
      [{ humanTranslation: 'yes' }, 'humanTranslation'],
      [{ coverImage: { ...cover, url: 'javascript:alert(1)' } }, 'coverImage.url'],
      [{ coverImage: { ...cover, authorLink: 'somebody' } }, 'coverImage.authorLink'],
      [{ coverImage: { ...cover, width: 0 } }, 'coverImage.width'],
      [{ coverImage: { url: cover.url } }, 'coverImage.height'],
      [{ locale: 'xx' }, 'locale'],
    ];
    for (const [change, path] of wrong) {
      const { status, body } = await create({ ...article, ...change });
      expect([change, status, body.issues?.[0]?.path]).toEqual([change, 400, path]);
    }
    expect((await create({ ...article, title: 'With a null \0 character' })).status).toBe(400);
  });

  it('accepts tags with and without their prefix', async () => {
    const { body } = await create({ ...article, tags: ['Climate', 'topic_Education'] });
    expect((await read(body.slug)).body.tags).toEqual(['topic_Climate', 'topic_Education']);
  });

  it('removes markup from titles and disallowed markup from bodies', async () => {
    const { body } = await create({
      ...article,
      title: 'Plain <b>and</b> simple words',
      body: 'Fine <script>alert(1)</script> text <img src=x onerror=alert(1)> and\n\n# A heading\n\n![Here](https://example.org/a.png)',
    });
    const found = (await read(body.slug)).body;
    expect(found.title).toBe('Plain and simple words');
    expect(found.body).not.toMatch(/script|onerror/);
    expect(found.html).not.toMatch(/script|onerror|<h1/);
    expect(found.html).toMatch(/<h2[^>]*>A heading/);
    expect((await create({ ...article, title: '<i><b><u>abc</u></b></i>' })).body.issues[0]).toEqual({
      path: 'title',
      message: 'Title must have at least 10 characters',
    });
  });

  it('is limited to public servants', async () => {
    expect((await test.call(createArticle, {}, { body: article })).status).toBe(401);
    expect((await create(article, (await makePerson(test, { role: 'non-public-servant' })).as)).status).toBe(403);
    expect((await create(article, (await makePerson(test, { role: 'inactive' })).as)).status).toBe(403);
  });

  it('gives concurrent articles with the same title different slugs', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => create({ ...article, title: 'The same title again' })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.slug)).size).toBe(30);
  });
});

describe('previewArticle', () => {
  const preview = (body: object, as: object = author.as) => test.call(previewArticle, as, { body });

  it('renders a body as publishing would and stores nothing', async () => {
    const body = 'Fine <script>alert(1)</script> **text**\n\n# A heading\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    const before = (await test.call(listArticles)).body.total;
    const shown = await preview({ body, locale: 'fr' });
    expect(shown.status).toBe(200);
    expect(previewArticle.replies[200].parse(shown.body)).toEqual(shown.body);
    expect((await test.call(listArticles)).body.total).toBe(before);
    const { slug } = (await create({ ...article, body, locale: 'fr' })).body;
    const { html, minutes } = (await read(slug)).body;
    expect(shown.body).toEqual({ html, minutes });
    expect(html).not.toContain('script');
  });

  it('refuses invalid input and viewers without an active account', async () => {
    for (const body of [{}, { body: ' ' }, { body: 'x'.repeat(70_000) }, { body: 'x', locale: 'xx' }])
      expect((await preview(body)).status).toBe(400);
    expect((await preview({ body: 'x' })).status).toBe(200);
    expect((await preview({ body: 'x' }, {})).status).toBe(401);
    expect((await preview({ body: 'x' }, (await makePerson(test, { role: 'inactive' })).as)).status).toBe(403);
  });
});

describe('updateArticle', () => {
  const update = (slug: string, body: object, as = author.as) =>
    test.call(updateArticle, as, { params: { slug }, body });

  it('replaces the article and keeps its slug and date', async () => {
    const { slug } = (await create({ ...article, tldr: 'Short', locale: 'fr' })).body;
    const before = (await read(slug)).body;
    const next = { ...article, title: 'Another title for it', tags: [] };
    expect((await update(slug, next)).status).toBe(204);
    expect((await read(slug)).body).toMatchObject({
      slug,
      title: next.title,
      seoTitle: next.title,
      tags: [],
      tldr: null,
      locale: 'fr',
      publishedDate: before.publishedDate,
    });
  });

  it('is limited to the author', async () => {
    const { slug } = (await create(article)).body;
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await update(slug, article, {})).status).toBe(401);
    expect((await update(slug, article, other.as)).status).toBe(403);
    expect((await update(slug, article, admin.as)).status).toBe(403);
    expect((await update('unknown-1', article)).status).toBe(404);
    expect((await update(slug, { ...article, title: 'short' })).status).toBe(400);
  });
});

describe('listArticles', () => {
  it('lists articles newest first, in pages, filtered by tag and author', async () => {
    const mine = (await create({ ...article, title: 'Mine is the newest', tags: ['Climate'] }, other.as)).body.slug;
    const { body } = await test.call(listArticles, {}, { query: { limit: 2 } });
    expect(listArticles.replies[200].parse(body)).toEqual(body);
    expect(body.articles[0].slug).toBe(mine);
    expect(body.articles).toHaveLength(2);
    const second = await test.call(listArticles, {}, { query: { limit: 1, offset: 1 } });
    expect(second.body.articles[0].slug).toBe(body.articles[1].slug);
    const byTag = await test.call(listArticles, {}, { query: { tag: 'topic_Climate', author: other.id } });
    expect(byTag.body).toMatchObject({ total: 1, articles: [{ slug: mine }] });
    expect((await test.call(listArticles, other.as, { query: { mine: true } })).body.total).toBe(1);
    expect((await test.call(listArticles, {}, { query: { mine: true } })).status).toBe(401);
    const asService = await test.call(listArticles, { serviceKey: SERVICE_KEY }, { query: { mine: true } });
    expect(asService.body).toMatchObject({ statusCode: 403, code: 'auth.forbidden' });
    for (const query of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { tag: 'x' }, { author: 'me' }])
      expect([query, (await test.call(listArticles, {}, { query })).status]).toEqual([query, 400]);
  });

  it('shows of an author only what their profile shows, and nothing of an erased one', async () => {
    const { slug } = (await create({ ...article, title: 'By a private person' }, other.as)).body;
    await test.ctx.db.updateTable('users').set({ job_title: 'Secret job' }).where('id', '=', other.id).execute();
    expect((await read(slug, author.as)).body.author).toEqual({
      id: other.id,
      name: 'Sam',
      thumbnail: null,
      jobTitle: null,
      organization: null,
    });
    await test.ctx.db.updateTable('users').set({ erased_at: new Date() }).where('id', '=', other.id).execute();
    expect((await read(slug)).body.author).toMatchObject({
      id: '00000000-0000-0000-0000-000000000000',
      name: 'Deleted user',
      isDeleted: true,
    });
    expect((await test.call(listArticles, {}, { query: { author: other.id } })).body.total).toBe(0);
    expect((await read('unknown')).status).toBe(404);
  });
});

describe('slugs of articles', () => {
  it('consist of the title in lower case without punctuation and a number', () => {
    expect(slugBase("What's new? AI, data & you…")).toBe('whats-new-ai-data-you');
    expect(slugBase('  Dash - and_underscore  ')).toBe('dash-and-underscore');
    expect(slugBase('الخدمة العامة')).toBe('alkhdmh-alamh');
    expect(slugBase('Łódź: đường phố – 정보 보안')).toBe('lodz-duong-pho-jeongbo-boan');
    expect(slugBase('漢'.repeat(65)).length).toBeLessThanOrEqual(240);
    expect(slugBase('!!!!!!!!!!')).toBe('article');
    const numbers = (random: number) =>
      [...slugCandidates('Title', () => random)].map((slug) => Number(slug.slice('title-'.length)));
    expect(numbers(0)).toEqual(Array(12).fill(1));
    expect(numbers(0.999_999)[0]).toBe(1000);
    expect(numbers(0.999_999).at(-1)).toBeGreaterThan(1000);
  });
});

describe('an article that was saved elsewhere meanwhile', () => {
  it('is not replaced by a save that is based on its former state', async () => {
    const { slug } = (await create(article)).body;
    const basedOn = (await read(slug)).body.updatedAt;
    const params = { slug };
    const save = async (subtitle: string, basedOn?: string) =>
      (await test.call(updateArticle, author.as, { params, body: { ...article, subtitle, basedOn } })).status;
    expect(await save('The first of two saves', basedOn)).toBe(204);
    expect(await save('The second of two saves', basedOn)).toBe(409);
    expect((await read(slug)).body.subtitle).toBe('The first of two saves');
    expect(await save('The second of two saves', (await read(slug)).body.updatedAt)).toBe(204);
    expect(await save('A save by another client')).toBe(204);
    expect(await save('A save by another client', 'yesterday')).toBe(400);
  });
});
