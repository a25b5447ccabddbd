import type { APIResponse, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { mailTo, visit, type Visit } from './visitor.ts';

export type Newcomer = Visit & { id: string; name: string; email: string; password: string };

/** The header of requests from our own pages. */
export const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

/** Calls the API as the person of a browser context; the call must succeed. */
export async function callApi(
  { request }: BrowserContext,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  data?: object,
): Promise<any> {
  // callers know the response
  const reply: APIResponse = await request.fetch(path, { method, data, headers: SAME_SITE });
  expect([path, reply.status(), reply.ok() ? '' : await reply.text()]).toEqual([path, reply.status(), '']);
  return await reply.json();
}

let made = 0;

/** An unused address, also when a test is retried. */
export function unusedEmail(name: string, domain = 'city.example.gov'): string {
  made += 1;
  return `${name}-${process.pid}-${Date.now()}-${made}@${domain}`;
}

/** Signs up a new person with the mailed code and a password. The demo approves addresses in `example.gov`. */
export async function visitAsNewcomer(
  name: string,
  { domain = 'city.example.gov', ...options }: BrowserContextOptions & { domain?: string } = {},
): Promise<Newcomer> {
  const visitor = await visit(options);
  const { context } = visitor;
  const email = unusedEmail('newcomer', domain);
  const password = 'four words and a river';
  await callApi(context, 'POST', '/api/auth/users', { name, email });
  const [code] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
  const { redirectPath } = await callApi(context, 'POST', '/api/auth/signups', { email, code });
  const onboardingState = new URL(redirectPath, 'http://here').searchParams.get('onboardingState');
  await callApi(context, 'PUT', '/api/auth/users/me/password', { password, onboardingState });
  const { viewer } = await callApi(context, 'GET', '/api/auth/session');
  return { ...visitor, id: viewer.id, name, email, password };
}

/** The same person in another browser. */
export async function visitAgain({ email, password }: Newcomer, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await visit(options);
  await callApi(visitor.context, 'POST', '/api/auth/logins', { email, password });
  return visitor;
}
