import { createArticle, readArticle, updateArticle } from '@officium/contract/content';
import { LOCALES } from '@officium/i18n/locales';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { picturePath } from '../../web/app/ui/share-picture.ts';
import { keepPictures } from './picture.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const author = await makePerson(test, { name: 'Priya & <b>Sons</b>' });
const ORIGIN = 'http://localhost:3000';

const article = {
  title: 'Letters & <b>forms</b>: “what works”',
  subtitle: 'What changed when we watched it being read',
  body: 'We wrote it **three** times before it worked.',
  tldr: 'Watch people.',
  locale: 'fr',
};
const { slug } = (await test.call(createArticle, author.as, { body: article })).body;

const open = await makeCommunity(db, { slug: 'city-makers', title: { en: 'City makers', ar: 'صانعو المدن' } });
/** Every hidden text contains this word, so that a leak shows in any output. */
const SECRET = 'Zanzibar';
const hidden = await Promise.all(
  [
    { privacy: 'closed-visible' },
    { privacy: 'closed-hidden' },
    { privacy: 'open-hidden' },
    { canView: 'authenticated' },
    { canView: 'private' },
  ].map((given, index) =>
    makeCommunity(db, { slug: `zanzibar-${index}`, title: { en: SECRET }, ...(given as object) }),
  ),
);
const post = await makeActivity(db, open, author, {
  title: 'A <i>bench</i> & a tree',
  body: `Ask {{${author.id}}} **now**`,
});
const poll = await makeActivity(db, open, author, { title: null, body: 'No title here' });
const removed = await makeActivity(db, open, author, { title: SECRET, body: SECRET });
await db.updateTable('activities').set({ deleted_at: new Date() }).where('id', '=', removed).execute();
const secrets: string[] = [];
for (const community of hidden) {
  await makeMember(db, community, author);
  secrets.push(await makeActivity(db, community, author, { title: SECRET, body: SECRET }));
}
const course = await makeCourse(test, { slug: 'plain-words', title: { en: 'Plain words', ja: 'やさしいことば' } });
const closed = await makeCourse(test, { slug: 'zanzibar-course', scopes: { canView: 'private', canJoin: 'private' } });
const withdrawn = (await test.call(createArticle, author.as, { body: { ...article, title: `${SECRET} withdrawn` } }))
  .body.slug;
await db.updateTable('articles').set({ withdrawn_at: new Date() }).where('slug', '=', withdrawn).execute();

const get = async (path: string, headers: Record<string, string> = {}, as = {}) =>
  await test.send('GET', path, { headers, as });
/** An answer without its request id. */
const known = ({ status, body }: { status: number; body: object }) => ({ status, ...body, requestId: '' });
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  isArray: (name) => ['url', 'sitemap', 'entry', 'xhtml:link', 'link'].includes(name),
});
/** Parses an XML document after validating it. */
function parsed(text: string) {
  expect(XMLValidator.validate(text)).toBe(true);
  return parser.parse(text);
}

describe('the sitemap', () => {
  it('lists all that an anonymous viewer may find, in each language, and nothing else', async () => {
    const index = await get('/sitemap.xml');
    expect([index.status, index.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const parts: string[] = parsed(index.body).sitemapindex.sitemap.map(({ loc }: { loc: string }) => loc);
    expect(parts).toEqual(['pages', 'articles', 'posts'].map((name) => `${ORIGIN}/sitemaps/${name}-1.xml`));
    const urls = [];
    for (const part of parts) urls.push(...parsed((await get(new URL(part).pathname)).body).urlset.url);
    const byPath = new Map(urls.map((url) => [url.loc.slice(ORIGIN.length), url]));
    for (const path of [
      '/',
      '/courses',
      '/articles',
      '/courses/plain-words',
      '/communities/city-makers',
      `/articles/${slug}`,
      `/communities/city-makers/activities/${post}`,
      `/communities/city-makers/activities/${poll}`,
    ])
      expect(byPath.has(path), path).toBe(true);
    expect(JSON.stringify(urls).toLowerCase()).not.toContain('zanzibar');
    for (const id of [...secrets, removed]) expect(JSON.stringify(urls)).not.toContain(id);
    const url = byPath.get(`/articles/${slug}`);
    const languages = url['xhtml:link'].map((link: Record<string, string>) => link['@hreflang']);
    expect(languages).toEqual([...LOCALES, 'x-default']);
    expect(new Date(url.lastmod).getTime()).toBeGreaterThan(Date.now() - 600_000);
  });

  it('has no other parts', async () => {
    for (const file of ['pages-2.xml', 'pages-0.xml', 'users-1.xml', 'pages-1', 'pages-9999999.xml'])
      expect([file, (await get(`/sitemaps/${file}`)).status]).toEqual([file, 404]);
  });

  it('answers a member as it answers an anonymous viewer', async () => {
    const [stranger, member] = [await get('/sitemaps/posts-1.xml'), await get('/sitemaps/posts-1.xml', {}, author.as)];
    expect(member.body).toBe(stranger.body);
  });
});

it('robots.txt excludes private pages and names the sitemap', async () => {
  const { status, body, headers } = await get('/robots.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  for (const path of ['/api/', '/admin', '/me', '/search']) expect(body).toContain(`Disallow: ${path}\n`);
  expect(body).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
});

describe('feeds', () => {
  it('list articles as they were written', async () => {
    const { status, headers, body } = await get('/articles/feed.xml?locale=ar');
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const { feed } = parsed(body);
    expect(feed['@xml:lang']).toBe('ar');
    const [entry, ...others] = feed.entry;
    expect(others).toEqual([]); // the other one is withdrawn
    const shown = (await test.call(readArticle, {}, { params: { slug } })).body;
    expect(entry).toMatchObject({
      '@xml:lang': 'fr',
      id: `${ORIGIN}/articles/${slug}`,
      author: { name: 'Priya & <b>Sons</b>' },
      published: shown.publishedDate,
    });
    expect(body).toContain('<title>Letters &amp; forms: “what works”</title>');
    expect(body).toContain('Watch people.');
  });

  it('list an open community, newest first', async () => {
    const { status, body } = await get('/communities/city-makers/feed.xml?locale=ar');
    expect(status).toBe(200);
    const { feed } = parsed(body);
    expect(feed.title).toContain('صانعو المدن');
    expect(feed.entry.map(({ id }: { id: string }) => id)).toEqual(
      [poll, post].map((id) => `${ORIGIN}/communities/city-makers/activities/${id}`),
    );
    expect(body).toContain('Ask Priya &amp; &lt;b&gt;Sons&lt;/b&gt; now');
    expect(body).not.toContain(SECRET);
  });

  it('call a deleted account by a name in their language', async () => {
    const gone = await makePerson(test, { name: 'Soon Gone' });
    const community = await makeCommunity(db, { slug: 'left-behind' });
    await makeActivity(db, community, gone, { title: null, body: 'Said and left' });
    await test.call(createArticle, gone.as, { body: { ...article, title: 'Written and left' } });
    await test.send('DELETE', '/api/people/users/me', { as: gone.as });
    const authorsOf = async (path: string) =>
      parsed((await get(path)).body).feed.entry.map((entry: { author: { name: string } }) => entry.author.name);
    expect(await authorsOf('/communities/left-behind/feed.xml?locale=de')).toEqual(['Gelöschtes Konto']);
    expect(await authorsOf('/articles/feed.xml?locale=ja')).toContain('削除されたユーザー');
    expect((await get('/communities/left-behind/feed.xml?locale=de')).body).toContain('Beitrag von Gelöschtes Konto');
  });

  it('are missing where an anonymous viewer may not read, exactly as for unknown paths', async () => {
    const missing = await get('/communities/nothing-here/feed.xml');
    expect(missing.status).toBe(404);
    for (const community of hidden) {
      for (const as of [{}, author.as]) {
        expect(known(await get(`/communities/${community.slug}/feed.xml`, {}, as)), community.slug).toEqual(
          known(missing),
        );
      }
    }
    expect((await get('/communities/a%00b/feed.xml')).status).toBe(404);
  });

  it('take little time to build for thirty of the longest posts', async () => {
    const community = await makeCommunity(db, { slug: 'long-posts' });
    const body = `The beginning. ${'[|~~~'.repeat(13_000)}`;
    for (let n = 0; n < 30; n += 1) await makeActivity(db, community, author, { title: 'Long' });
    await db.updateTable('activities').set({ body }).where('community_id', '=', community.id).execute();
    const begun = process.cpuUsage();
    const { body: feed } = await get('/communities/long-posts/feed.xml');
    const { user } = process.cpuUsage(begun);
    expect(parsed(feed).feed.entry).toHaveLength(30);
    expect(parsed(feed).feed.entry[0].summary).toMatch(/^The beginning\. .{500,}…$/);
    expect(user / 1000).toBeLessThan(2_000);
  });

  it('answer 304 to clients that have them', async () => {
    // HTTP dates are whole seconds, so the articles must be older than the change below.
    await sql`update articles set updated_at = updated_at - interval '5 seconds'`.execute(test.ctx.db);
    const { headers } = await get('/articles/feed.xml');
    const etag = String(headers['etag']);
    const modified = String(headers['last-modified']);
    const tags: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", W/${etag}` },
      { 'if-modified-since': modified },
    ];
    for (const has of tags) {
      const { status, body } = await get('/articles/feed.xml', has);
      expect([has, status, body]).toEqual([has, 304, '']);
    }
    expect((await get('/articles/feed.xml', { 'if-none-match': '"x"', 'if-modified-since': modified })).status).toBe(
      200,
    );
    await test.call(updateArticle, author.as, {
      params: { slug },
      body: { ...article, subtitle: 'Said in other words' },
    });
    for (const has of tags) expect((await get('/articles/feed.xml', has)).status).toBe(200);
  });
});

describe('pictures of pages', () => {
  const picture = async (pathname: string, locale: string, title: string) =>
    await test.app.inject({ url: picturePath(pathname, locale, { title, site: 'Officium' })! }); // every path here has one

  it.each([
    ['/', 'en', 'Learn and talk with people who do your job'],
    ['/courses/plain-words', 'ja', 'やさしいことば'],
    ['/communities/city-makers', 'ar', 'صانعو المدن'],
    [`/communities/city-makers/activities/${post}`, 'vi', 'A <i>bench</i> & a tree'],
  ])('%s has its own', async (pathname, locale, title) => {
    const first = await picture(pathname, locale, title);
    // The title of the start page comes from the catalogue: another one redirects to the right picture.
    const reply = first.statusCode === 302 ? await test.app.inject({ url: String(first.headers.location) }) : first;
    if (pathname !== '/') expect(first.statusCode).toBe(200);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/png']);
    expect(reply.headers['cache-control']).toContain('immutable');
    const { width, height, format } = await sharp(reply.rawPayload).metadata();
    expect([width, height, format]).toEqual([1200, 630, 'png']);
    const { channels } = await sharp(reply.rawPayload).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20); // the picture is not blank
  });

  it('differ by title, and get a new address when it changes', async () => {
    const title = 'Letters & forms: “what works”';
    const before = picturePath(`/articles/${slug}`, 'en', { title, site: 'Officium' })!; // articles have one
    const old = await test.app.inject({ url: before });
    expect(old.statusCode).toBe(200);
    await test.call(updateArticle, author.as, {
      params: { slug },
      body: { ...article, title: 'Another title for it' },
    });
    const moved = await test.app.inject({ url: before });
    expect([moved.statusCode, moved.headers.location]).toEqual([
      302,
      picturePath(`/articles/${slug}`, 'en', { title: 'Another title for it', site: 'Officium' }),
    ]);
    const fresh = await test.app.inject({ url: String(moved.headers.location) });
    expect(fresh.rawPayload.equals(old.rawPayload)).toBe(false);
  });

  it('are missing for hidden pages, exactly as for unknown ones', async () => {
    const missing = await get('/pictures/en/x/communities/nothing-here.png');
    expect(missing.status).toBe(404);
    const paths = [
      ...hidden.map(({ slug: community }) => `/communities/${community}`),
      ...hidden.map(({ slug: community }, index) => `/communities/${community}/activities/${secrets[index]}`),
      ...secrets.map((id) => `/communities/city-makers/activities/${id}`),
      `/communities/city-makers/activities/${removed}`,
      '/communities/city-makers/activities/me',
      '/communities/city-makers/members',
      `/courses/${closed.slug}`,
      `/articles/${withdrawn}`,
      '/articles/a%00b',
      '/me/settings',
      '/people/x',
      '/microcourses/fr/x',
      '/academies/none',
    ];
    for (const path of paths) {
      expect(known(await get(`/pictures/en/x${path}.png`, {}, author.as)), path).toEqual(known(missing));
    }
    for (const path of ['/pictures/xx/x/home.png', '/pictures/en/x/home', '/pictures/en/x/'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('of lessons exist only for trial lessons', async () => {
    const { slug: journey, lessons } = course.journey;
    const statuses = [];
    for (const lesson of lessons.slice(0, 2))
      statuses.push((await get(`/pictures/en/x/courses/${course.slug}/${journey}/${lesson.slug}.png`)).status);
    expect(statuses).toEqual([302, 404]);
  });
});

describe('pictures for anonymous viewers', () => {
  it('are limited per address', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const { id, ...community } = await makeCommunity(limited.ctx.db);
    const owner = await makePerson(limited);
    const draw = async (title: string) => {
      const post = await makeActivity(limited.ctx.db, { id }, owner, { title, body: 'x' });
      return (
        await limited.app.inject({
          url: picturePath(`/communities/${community.slug}/activities/${post}`, 'en', { title, site: 'Officium' })!,
        })
      ).statusCode; // posts have one
    };
    await limited.ctx.db
      .insertInto('rate_limits')
      .values({ key: 'picture:127.0.0.1', used: 59, window_start: new Date() })
      .execute();
    expect([await draw('One more'), await draw('One too many')]).toEqual([200, 429]);
  });

  it('are drawn once for concurrent requests, and evicted when the cache is full', async () => {
    const card = { title: 'A title', kicker: undefined, locale: 'en', seed: 'x', site: 'Officium' } as const;
    const pictures = keepPictures(100_000);
    const [one, same] = await Promise.all([pictures.get('/a', card), pictures.get('/a', card)]);
    expect(same).toBe(one);
    expect(one.length).toBeGreaterThan(20_000);
    for (const path of ['/b', '/c', '/d', '/e', '/f']) await pictures.get(path, { ...card, title: path });
    expect([pictures.has('/a'), pictures.has('/f')]).toEqual([false, true]);
  });
});
