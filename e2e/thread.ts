import type { APIRequestContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { SAME_SITE } from './newcomer.ts';
import { visitAs, type Account } from './visitor.ts';

export const CITY = '/communities/city-makers';

/**
 * Visits as an account with the plain text field; composer.spec.ts covers the editor. The context closes after the
 * test.
 */
export async function visitDuringTest(account: Account, options: Parameters<typeof visitAs>[1] = {}) {
  const visitor = await visitAs(account, options);
  await visitor.context.addInitScript(() => localStorage.setItem('editor', 'plain'));
  onTestFinished(() => visitor.context.close());
  return visitor;
}

export async function send(request: APIRequestContext, path: string, data: object): Promise<{ id: string }> {
  const reply = await request.post(`/api/community${path}`, { data, headers: SAME_SITE });
  expect([path, reply.status()]).toEqual([path, 201]);
  return await reply.json();
}
export const post = async (request: APIRequestContext, title: string) =>
  (await send(request, `${CITY}/activities`, { title, body: 'What do you think?' })).id;
export const reply = async (request: APIRequestContext, to: string, body: string) =>
  (await send(request, `${CITY}/activities/${to}/reactions`, { kind: 'reply', body })).id;
export const poll = async (request: APIRequestContext, title: string, settings: object, slug = 'city-makers') =>
  (
    await send(request, `/communities/${slug}/polls`, {
      title,
      options: ['Benches', 'Trees', 'Lamps'].map((body, index) => ({ position: index + 1, body })),
      settings,
    })
  ).id;

export const entryWith = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).last();
export const entryLink = (page: Page, text: string, name: string) =>
  entryWith(page, text).getByRole('link', { name: new RegExp(`^${name}`) });
