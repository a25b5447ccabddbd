import { request } from 'node:http';
import { expect, it } from 'vitest';
import { currentProduct } from '../demo.ts';

/** The status of a request with a method that `fetch` cannot send. */
async function statusOf(method: string, path: string): Promise<number | undefined> {
  const address = new URL(path, (await currentProduct()).url);
  return await new Promise((resolve, reject) => {
    const sent = request(address, { method }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on('error', reject).end();
  });
}

it.each(['/', '/courses', '/api/openapi.json'])('answers TRACE at %s with 404', async (path) => {
  expect(await statusOf('TRACE', path)).toBe(404);
});

it.each([
  ['application/json', '{"intent":"post"}'],
  ['multipart/form-data; boundary=x', 'no parts'],
])('rejects a malformed form: %s', async (type, body) => {
  for (const path of ['/login', '/language', '/theme', '/dismiss-notice', '/communities/plain-words']) {
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    const reply = await fetch(new URL(path, (await currentProduct()).url), {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    expect([path, reply.status]).toEqual([path, 400]);
  }
});
