import type { APIRequestContext } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { SAME_SITE } from './newcomer.ts';
import { CITY } from './thread.ts';
import { visitAs, type Account } from './visitor.ts';

/** Visits as an account; the context closes after the test. */
export async function visitDuringTest(account: Account, options: Parameters<typeof visitAs>[1] = {}) {
  const visitor = await visitAs(account, options);
  onTestFinished(() => visitor.context.close());
  return visitor;
}

export async function post(request: APIRequestContext, title: string, body = 'What do you think?') {
  const data = { title, body };
  return await request.post(`/api/community${CITY}/activities`, { data, headers: SAME_SITE });
}

/** Sets the community's rules and limits; omitted ones are removed. */
export async function setLimits(request: APIRequestContext, given: object) {
  const data = { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: null, ...given };
  const reply = await request.put(`/api/community${CITY}/settings`, { data, headers: SAME_SITE });
  expect(reply.status()).toBe(200);
}
