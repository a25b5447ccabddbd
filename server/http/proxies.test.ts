import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../test/app.ts';

const SETTINGS = { RATE_LIMITS: 'on', TRUST_PROXY: '1', PUBLIC_URL: 'https://learn.example.gov' };
const PROXY = '10.0.0.9';

/** Twelve requests of an operation that allows ten a minute per client address. */
async function askTwelveTimes(
  test: TestApp,
  { from, forwarded }: { from: string; forwarded: (n: number) => string },
): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < 12; n += 1) {
    const answer = await test.app.inject({
      url: '/api/auth/users/somebody%40example.gov',
      remoteAddress: from,
      headers: { 'x-forwarded-for': forwarded(n) },
    });
    statuses.push(answer.statusCode);
  }
  return statuses;
}

const TEN_THEN_NO_MORE = [...Array<number>(10).fill(200), 429, 429];

describe('the client address', () => {
  it('is the one the proxy saw, not one that the client claims', async () => {
    const test = await createTestApp(SETTINGS);
    const office = { from: PROXY, forwarded: (n: number) => `203.0.113.${n}, 10.1.2.3` };
    expect(await askTwelveTimes(test, office)).toEqual(TEN_THEN_NO_MORE);
    const others = { from: PROXY, forwarded: (n: number) => `203.0.113.1, 10.1.3.${n}` };
    expect(await askTwelveTimes(test, others)).toEqual(Array(12).fill(200));
  });

  it('is that of the connection when a client bypasses the proxy', async () => {
    const test = await createTestApp(SETTINGS);
    const stranger = { from: '198.51.100.7', forwarded: (n: number) => `203.0.113.${n}` };
    expect(await askTwelveTimes(test, stranger)).toEqual(TEN_THEN_NO_MORE);
  });

  it('is the one the first of two proxies saw', async () => {
    const test = await createTestApp({ ...SETTINGS, TRUST_PROXY: '2' });
    const through = { from: PROXY, forwarded: (n: number) => `203.0.113.${n}, 198.51.100.7, 10.0.0.8` };
    expect(await askTwelveTimes(test, through)).toEqual(TEN_THEN_NO_MORE);
  });
});
