import * as auth from '@officium/contract/auth';
import { confirmSession, proveSecondFactor } from '@officium/contract/second-factor';
import { describe, expect } from 'vitest';
import { createTestApp, itInProcess, type Answer } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { giveApp } from '#server/test/factories/factors.ts';

// Wrong passwords of strangers. Each request says where it is from: the header is believed from this machine.
const test = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
const PASSWORD = 'correct horse';
const WRONG = 'wrong horse';

let places = 0;
const anotherPlace = () => `198.51.100.${(places += 1)}`;
type From = { place?: string; device?: string };

const signIn = async (email: string, password: string, { place = anotherPlace(), device }: From = {}) =>
  await test.call(auth.signIn, undefined, {
    body: { email, password },
    headers: { 'x-forwarded-for': place, ...(device === undefined ? {} : { cookie: `device=${device}` }) },
  });
const statusOf = async (...given: Parameters<typeof signIn>) => (await signIn(...given)).status;
const deviceIn = ({ cookies }: Answer) => cookies.find(({ name }) => name === 'device')?.value ?? 'none';
const owner = () => makePerson(test, { password: PASSWORD });

/** Guesses ten times at a place. */
async function guessAt(place: string, email: string): Promise<number[]> {
  return await Promise.all(Array.from({ length: 10 }, () => statusOf(email, WRONG, { place })));
}
/** Guesses at an account from so many places that nobody else there may sign in to it. */
async function lockOut({ email }: { email: string }): Promise<void> {
  for (let nth = 0; nth < 6; nth += 1) expect(new Set(await guessAt(anotherPlace(), email))).toEqual(new Set([401]));
}

describe('a stranger who guesses passwords', () => {
  itInProcess('is stopped on their network and locks nobody out elsewhere', async () => {
    const maya = await owner();
    const place = anotherPlace();
    await guessAt(place, maya.email);
    for (let nth = 0; nth < 100; nth += 1) expect(await statusOf(maya.email, WRONG, { place })).toBe(429);
    expect(await statusOf(maya.email, PASSWORD, { place })).toBe(429);
    expect(await statusOf(maya.email, PASSWORD)).toBe(200);
    const noor = await owner();
    expect(await statusOf(noor.email, PASSWORD, { place })).toBe(200);
  });

  itInProcess('counts as one origin across a /48', async () => {
    const maya = await owner();
    const tries = [];
    for (let nth = 0; nth < 12; nth += 1)
      tries.push(await statusOf(maya.email, WRONG, { place: `2001:db8:77:${nth}::1` }));
    expect(tries).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(await statusOf(maya.email, PASSWORD, { place: '2001:db8:78::1' })).toBe(200);
  });

  itInProcess('gets sixty guesses an hour from any number of origins, whether the account exists or not', async () => {
    for (const email of [(await owner()).email, `nobody-${places}@example.gov`]) {
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
    expect(await call(auth.changeEmail, { newEmail: `new-${places}@example.gov`, password: PASSWORD })).toBe(200);
    expect(await call(auth.setPassword, { oldPassword: PASSWORD, password: 'another quiet horse' })).toBe(200);
  });

  itInProcess('is known to the browser that changed the password, not to those from before', async () => {
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
    // So may a session, and both count together: however many there are, they are no way around it.
    expect((await test.call(auth.checkPassword, maya.as, { body: { password: PASSWORD } })).status).toBe(429);
    expect(await statusOf(maya.email, PASSWORD)).toBe(200);
  });

  itInProcess('has proven the second factor too', async () => {
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
