import { afterEach, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { closeVisits, isTooWide, visit, visitAs } from './visitor.ts';

afterEach(closeVisits);

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';

it('plays an outside video after a click, and is a link without script', async () => {
  const { page, context, faults } = await visitAs('learner', { viewport: { width: 320, height: 800 } });
  const asked: string[] = [];
  await context.route(/^https:\/\/[^/]*youtube/, async (route) => {
    asked.push(new URL(route.request().url()).host);
    await route.fulfill({ contentType: 'text/html', body: '<p>The player</p>' });
  });
  const made = await context.request.post('/api/content/articles', {
    headers: { origin: (await currentProduct()).url },
    data: {
      title: 'A law in three minutes',
      subtitle: 'A video that explains it',
      body: `Watch this.\n\n::embed[How a law is made]{src=${VIDEO}}`,
      locale: 'en',
    },
  });
  expect(made.status()).toBe(201);
  const { slug } = (await made.json()) as { slug: string };
  await page.goto(`/articles/${slug}`);
  const link = page.getByRole('link', { name: 'How a law is made' });
  await page.getByText('This video is at YouTube.').waitFor();
  expect(asked).toEqual([]);
  expect(await axeFaults(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  await link.click();
  const player = page.frameLocator('figure.embed iframe').frameLocator('iframe');
  await player.getByText('The player').waitFor();
  expect(asked).toEqual(['www.youtube-nocookie.com']);
  expect(await isTooWide(page)).toBe(false);
  expect(faults).toEqual([]);

  const without = await visit({ javaScriptEnabled: false });
  await without.page.goto(`/articles/${slug}`);
  expect(await without.page.getByRole('link', { name: 'How a law is made' }).getAttribute('href')).toBe(VIDEO);
});
