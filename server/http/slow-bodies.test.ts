import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { allowSlowBody, limitSlowBodies } from './slow-bodies.ts';

const app = fastify();
afterAll(() => app.close());
limitSlowBodies(app, 300);
app.post('/usual', (request) => request.body);
app.post('/large', { onRequest: async (request) => allowSlowBody(request) }, (request) => request.body);
app.post('/part', { onRequest: async (request) => allowSlowBody(request, 900) }, (request) => request.body);
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo; // it listens on TCP

/** Sends a body in two halves and returns the answer; empty when the connection was closed before it. */
async function post(path: string, pauseMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (part) => (answer += String(part))).on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n"a`,
  );
  await setTimeout(pauseMs);
  socket.write('b"');
  await closed;
  return answer;
}

it('closes the connection of a request whose body takes too long', async () => {
  expect(await post('/usual', 600)).toBe('');
});

it('closes the connection when an extended deadline has passed, and not before', async () => {
  const [early, late] = await Promise.all([post('/part', 600), post('/part', 1200)]);
  expect(early).toMatch(/ab"?$/);
  expect(late).toBe('');
});

it('answers a request whose body arrives in time, or for which the limit was lifted', async () => {
  expect(await post('/usual', 10)).toMatch(/ab"?$/);
  expect(await post('/large', 600)).toMatch(/ab"?$/);
});
