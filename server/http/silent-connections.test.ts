import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { endSilentConnections } from './silent-connections.ts';

async function serve() {
  const app = fastify({ forceCloseConnections: 'idle' });
  endSilentConnections(app);
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  app.get('/held', async () => {
    asked.resolve();
    await held.promise;
    return 'done';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP
  const open = async (sent: string) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(sent);
    return socket;
  };
  return { app, held, asked, open };
}

describe('closing', () => {
  it.each([
    ['nothing', ''],
    ['half a request', 'GET /held HTTP/1.1\r\nHost: a'],
  ])('ends a connection that has sent %s', { timeout: 10_000 }, async (_, sent) => {
    const { app, open } = await serve();
    const socket = await open(sent);
    const ended = once(socket.resume(), 'close');
    await app.close();
    await ended;
  });

  it('lets a request under way finish', { timeout: 10_000 }, async () => {
    const { app, held, asked, open } = await serve();
    const reply = text(await open('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'));
    await asked.promise;
    const closed = app.close();
    setTimeout(held.resolve, 1_200); // longer than the grace period of a silent connection
    expect(await reply).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/);
    await closed;
  });

  it('finishes without open connections', async () => {
    const app = fastify();
    endSilentConnections(app);
    await app.ready();
    await app.close();
  });
});
