import { connect } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp, WEBHOOK_KEY } from '../app.ts';
import { exchange, listen } from '../fuzz/exchange.ts';

const test = await createTestApp();
const port = await listen(test);

const URL_OF_EVENTS = '/api/content/entries/it/index';
const send = (headers: Record<string, string>, body: string) =>
  exchange(port, {
    method: 'PUT',
    url: URL_OF_EVENTS,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
const event = JSON.stringify({ id: 'attack', type: 'course', slug: 'attack' });
const written = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from entries where id = 'attack'`.execute(test.ctx.db)).rows[0]
    ?.n;

describe('an event with a wrong key', () => {
  it('is refused before its body is read', async () => {
    const socket = connect(port, '127.0.0.1');
    const head = [
      `PUT ${URL_OF_EVENTS} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      'content-length: 200000',
      `x-webhook-key: ${WEBHOOK_KEY.slice(0, -1)}x`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is refused for every malformed key', async () => {
    const keys = [
      '',
      ' ',
      'undefined',
      '[object Object]',
      WEBHOOK_KEY.toUpperCase(),
      WEBHOOK_KEY.slice(1),
      `${WEBHOOK_KEY},`,
    ].concat([`${WEBHOOK_KEY}, ${WEBHOOK_KEY}`, `${WEBHOOK_KEY}\u00e9`, 'x'.repeat(5_000)]);
    for (const key of keys) expect([key, (await send({ 'x-webhook-key': key }, event)).status]).toEqual([key, 401]);
    const others: Record<string, string>[] = [
      {},
      { 'x-webhook-key2': WEBHOOK_KEY },
      { authorization: `Bearer ${WEBHOOK_KEY}` },
    ];
    for (const headers of others) expect((await send(headers, event)).status).toBe(401);
    const inAddress = await exchange(port, {
      method: 'PUT',
      url: `${URL_OF_EVENTS}?x-webhook-key=${WEBHOOK_KEY}`,
      headers: { 'content-type': 'application/json' },
      body: event,
    });
    expect([inAddress.status, await written()]).toEqual([401, 0]);
  });
});

describe('an event of the content platform', () => {
  it('is refused when it is larger than 256 KiB', async () => {
    const large = JSON.stringify({ ...(JSON.parse(event) as object), more: 'x'.repeat(256 * 1024) });
    const { status } = await send({ 'x-webhook-key': WEBHOOK_KEY }, large);
    expect([status, await written()]).toEqual([413, 0]);
  });
});
