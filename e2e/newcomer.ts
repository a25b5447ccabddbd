import type { APIResponse, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { mailTo, visit, type Visit } from './visitor.ts';

export type Newcomer = Visit & { id: string; name: string; email: string; password: string };

/** What a browser says of a call by one of our own pages. */
export const SAME_SITE = { 'sec-fetch-site': 'same-origin' };

/** Asks the API as the person of a browser profile, and expects a yes. */
export async function ask(
  { request }: BrowserContext,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  data?: object,
): Promise<any> {
  // each caller knows its answer
  const reply: APIResponse = await request.fetch(path, { method, data, headers: SAME_SITE });
  expect([path, reply.status(), reply.ok() ? '' : await reply.text()]).toEqual([path, reply.status(), '']);
  return await reply.json();
}

let made = 0;

/** Nobody's address yet, also when a test is run again. */
export function addressOfNobody(name: string, domain = 'city.example.gov'): string {
  made += 1;
  return `${name}-${process.pid}-${Date.now()}-${made}@${domain}`;
}

/** Somebody who signed up a moment ago by the code in the mail, with a password; in the demo `example.gov` is approved. */
export async function visitAsNewcomer(
  name: string,
  { domain = 'city.example.gov', ...options }: BrowserContextOptions & { domain?: string } = {},
): Promise<Newcomer> {
  const visitor = await visit(options);
  const { context } = visitor;
  const email = addressOfNobody('newcomer', domain);
  const password = 'four words and a river';
  await ask(context, 'POST', '/api/auth/users', { name, email });
  const [code] = /^\d{6}$/m.exec((await mailTo(email)).text) ?? [];
  const { redirectPath } = await ask(context, 'POST', '/api/auth/signups', { email, code });
  const onboardingState = new URL(redirectPath, 'http://here').searchParams.get('onboardingState');
  await ask(context, 'PUT', '/api/auth/users/me/password', { password, onboardingState });
  const { viewer } = await ask(context, 'GET', '/api/auth/session');
  return { ...visitor, id: viewer.id, name, email, password };
}

/** The same person in another browser. */
export async function visitAgain({ email, password }: Newcomer, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await visit(options);
  await ask(visitor.context, 'POST', '/api/auth/logins', { email, password });
  return visitor;
}
