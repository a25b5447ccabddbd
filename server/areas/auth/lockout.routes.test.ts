import * as auth from '@officium/contract/auth';
import { confirmSession, proveSecondFactor } from '@officium/contract/second-factor';
import { describe, expect } from 'vitest';
import { createTestApp, itInProcess, type Answer } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { giveApp } from '#server/test/factories/factors.ts';

// Wrong passwords from strangers. Each request sets its client address with X-Forwarded-For, trusted from this machine.
const test = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
const PASSWORD = 'correct horse';
const WRONG = 'wrong horse';

let addresses = 0;
const newAddress = () => `198.51.100.${(addresses += 1)}`;
type From = { address?: string; device?: string };

const signIn = async (email: string, password: string, { address = newAddress(), device }: From = {}) =>
  await test.call(auth.signIn, undefined, {
    body: { email, password },
    headers: { 'x-forwarded-for': address, ...(device === undefined ? {} : { cookie: `device=${device}` }) },
  });
const statusOf = async (...given: Parameters<typeof signIn>) => (await signIn(...given)).status;
const deviceIn = ({ cookies }: Answer) => cookies.find(({ name }) => name === 'device')?.value ?? 'none';
const owner = () => makePerson(test, { password: PASSWORD });

/** Makes ten wrong attempts from one address. */
async function guessAt(address: string, email: string): Promise<number[]> {
  return await Promise.all(Array.from({ length: 10 }, () => statusOf(email, WRONG, { address })));
}
/** Exhausts the limit of an account with guesses from many addresses. */
async function lockOut({ email }: { email: string }): Promise<void> {
  for (let nth = 0; nth < 6; nth += 1) expect(new Set(await guessAt(newAddress(), email))).toEqual(new Set([401]));
}

describe('a stranger who guesses passwords', () => {
  itInProcess('is stopped on their network and locks nobody out elsewhere', async () => {
    const maya = await owner();
    const address = newAddress();
    await guessAt(address, maya.email);
    for (let nth = 0; nth < 100; nth += 1) expect(await statusOf(maya.email, WRONG, { address })).toBe(429);
    expect(await statusOf(maya.email, PASSWORD, { address })).toBe(429);
    expect(await statusOf(maya.email, PASSWORD)).toBe(200);
    const noor = await owner();
    expect(await statusOf(noor.email, PASSWORD, { address })).toBe(200);
  });

  itInProcess('counts as one origin within a /48 network', async () => {
    const maya = await owner();
    const tries = [];
    for (let nth = 0; nth < 12; nth += 1)
      tries.push(await statusOf(maya.email, WRONG, { address: `2001:db8:77:${nth}::1` }));
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(await statusOf(maya.email, PASSWORD, { address: '2001:db8:78::1' })).toBe(200);
  });

  itInProcess('gets sixty guesses an hour from any number of origins, whether the account exists or not', async () => {
    for (const email of [(await owner()).email, `nobody-${addresses}@example.gov`]) {
      const tries = await Promise.all(Array.from({ length: 70 }, () => statusOf(email, WRONG)));
      expect(tries.filter((status) => status === 401)).toHaveLength(60);
      expect(tries.filter((status) => status === 429)).toHaveLength(10);
      expect(await statusOf(email, PASSWORD)).toBe(429);
    }
  });
});

describe('the owner of an account under attack', () => {
  itInProcess('signs in from a known browser', async () => {
    const maya = await owner();
    const device = deviceIn(await signIn(maya.email, PASSWORD));
    await lockOut(maya);
    expect(await statusOf(maya.email, PASSWORD)).toBe(429);
    expect(await statusOf(maya.email, PASSWORD, { device })).toBe(200);
    for (const mark of [
      '',
      'none',
      `${device}A`,
      device.slice(1),
      deviceIn(await signIn((await owner()).email, PASSWORD)),
    ])
      expect([mark, await statusOf(maya.email, PASSWORD, { device: mark })]).toEqual([mark, 429]);
  });

  itInProcess('signs in by mailed link, which makes the browser known', async () => {
    const maya = await owner();
    await lockOut(maya);
    await test.call(auth.requestLoginLink, undefined, { body: { email: maya.email } });
    const token = (await lastMail(test, maya.email, 'login_link')).link.searchParams.get('token');
    const device = deviceIn(await test.call(auth.confirmLoginLink, undefined, { body: { token } }));
    expect(await statusOf(maya.email, PASSWORD, { device })).toBe(200);
  });

  itInProcess('keeps working in an open session', async () => {
    const maya = await owner();
    await lockOut(maya);
    const call = async (operation: Parameters<typeof test.call>[0], body: object) =>
      (await test.call(operation, maya.as, { body })).status;
    expect(await call(auth.checkPassword, { password: PASSWORD })).toBe(200);
    expect(await call(confirmSession, { password: PASSWORD })).toBe(200);
    expect(await call(auth.changeEmail, { newEmail: `new-${addresses}@example.gov`, password: PASSWORD })).toBe(200);
    expect(await call(auth.setPassword, { oldPassword: PASSWORD, password: 'another quiet horse' })).toBe(200);
  });

  itInProcess('is recognised by the browser that changed the password, not by earlier ones', async () => {
    const maya = await owner();
    const first = await signIn(maya.email, PASSWORD);
    const body = { oldPassword: PASSWORD, password: 'another quiet horse' };
    const set = await test.call(auth.setPassword, sessionIn(first), { body });
    await lockOut(maya);
    expect(await statusOf(maya.email, body.password, { device: deviceIn(first) })).toBe(429);
    expect(await statusOf(maya.email, body.password, { device: deviceIn(set) })).toBe(200);
  });
});

describe('a known browser', () => {
  itInProcess('gets ten wrong attempts, shared with sessions, and locks nobody else out', async () => {
    const maya = await owner();
    const device = deviceIn(await signIn(maya.email, PASSWORD));
    const tries = await Promise.all(Array.from({ length: 12 }, () => statusOf(maya.email, WRONG, { device })));
    expect(tries.filter((status) => status === 401)).toHaveLength(10);
    expect(await statusOf(maya.email, PASSWORD, { device })).toBe(429);
    // Sessions share the limit of known browsers, so extra sessions give no extra attempts.
    expect((await test.call(auth.checkPassword, maya.as, { body: { password: PASSWORD } })).status).toBe(429);
    expect(await statusOf(maya.email, PASSWORD)).toBe(200);
  });

  itInProcess('is recognised only after the second factor', async () => {
    const maya: TestPerson = await owner();
    const { code } = await giveApp(test, maya);
    const owed = await signIn(maya.email, PASSWORD);
    expect([owed.status, owed.cookies]).toEqual([403, []]);
    const proof = { challenge: owed.body.challenge, code: code() };
    const done = await test.call(proveSecondFactor, undefined, { body: proof });
    await lockOut(maya);
    expect(await statusOf(maya.email, PASSWORD, { device: deviceIn(done) })).toBe(403);
  });
});
