import { createServer, type Server } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type DemoProduct } from './demo.ts';
import { visit, visitAs } from './visitor.ts';
import { portOf } from '../server/test/process.ts';

let product: DemoProduct;
let server: Server;
let host = '';
const asked: { path: string; referer: string | undefined }[] = [];

beforeAll(async () => {
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c02020' } })
    .jpeg()
    .toBuffer();
  server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer });
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${portOf(server)}`;
  product = await startDemo({ LINK_PREVIEW_ALLOW: host });
}, 120_000);
afterAll(async () => {
  await product.stop();
  server.closeAllConnections();
  server.close();
});

/** All URLs that a browser requests outside the product. */
function externalRequests(context: BrowserContext): string[] {
  const strangers: string[] = [];
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== product.url) strangers.push(request.url());
  });
  return strangers;
}

const widths = async (page: Page) =>
  await page.locator('img[src^="/files/elsewhere/"]').evaluateAll(async (pictures: HTMLImageElement[]) => {
    for (const picture of pictures) {
      picture.loading = 'eager';
      await picture.decode().catch(() => {}); // an unavailable picture has no width
    }
    return pictures.map(({ naturalWidth }) => naturalWidth);
  });

it(
  'external pictures are proxied, so that no reader’s browser contacts their hosts',
  { timeout: 120_000 },
  async () => {
    const baseURL = product.url;
    const writer = await visitAs('learner', { baseURL });
    const headers = { 'sec-fetch-site': 'same-origin' };
    const face = { name: 'Ada', thumbnail: 'https://tracker.invalid/face.png' };
    expect((await writer.context.request.put('/api/people/users/me', { data: face, headers })).status()).toBe(200);
    const posted = await writer.context.request.post('/api/community/communities/plain-words/activities', {
      data: { verb: 'post', title: 'Look', body: 'Look.' },
      headers,
    });
    const { id } = (await posted.json()) as { id: string };
    const cover = `http://${host}/cover.jpg?a=1&b=2`;
    const published = await writer.context.request.post('/api/content/articles', {
      data: {
        title: 'A letter that people read',
        subtitle: 'What we saw when people read it',
        body: `We drew it: ![a drawing](https://tracker.invalid/drawing.jpg?a=1&b=2)`,
        coverImage: { url: cover, width: 400, height: 300, authorName: 'Ada', authorLink: 'https://example.org/' },
      },
      headers,
    });
    const { slug } = (await published.json()) as { slug: string };

    const [member, visitor] = [await visitAs('moderator', { baseURL }), await visit({ baseURL })];
    for (const reader of [member, visitor]) {
      const strangers = externalRequests(reader.context);
      await reader.page.goto(`/communities/plain-words/activities/${id}`);
      await reader.page.getByRole('heading', { name: 'Look' }).waitFor();
      // The avatar is unavailable; visitors see none.
      expect(await widths(reader.page)).toEqual(reader === member ? [0] : []);
      await reader.page.goto(`/articles/${slug}`);
      await reader.page.getByAltText('a drawing').waitFor();
      // The cover, and an unavailable drawing.
      expect(await widths(reader.page)).toEqual(expect.arrayContaining([400, 0]));
      await reader.page.goto('/articles');
      await reader.page.getByText('A letter that people read').first().waitFor();
      expect(await widths(reader.page)).toContain(400);
      expect(strangers).toEqual([]);
      expect(reader.faults).toEqual([]);
    }
    expect(asked).toEqual([{ path: '/cover.jpg?a=1&b=2', referer: undefined }]);

    // The form sends the URL back, so it must be the original one.
    const { page } = writer;
    await page.goto(`/articles/${slug}/edit`);
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByAltText('a drawing').waitFor();
    expect(await widths(page)).toContain(400);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const article = await writer.context.request.get(`/api/content/articles/${slug}`);
    expect(await article.json()).toMatchObject({ coverImage: { url: cover }, author: { thumbnail: face.thumbnail } });
  },
);
