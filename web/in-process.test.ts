import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getInProcess } from './in-process.ts';

let app: FastifyInstance;
const answered: string[] = [];

beforeAll(async () => {
  app = Fastify({ genReqId: () => 'one' });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.headers.cookie) reply.header('set-cookie', ['a=1', 'b=2']);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    answered.push(request.url);
    done();
  });
  app.get('/asked', ({ ip, url, query, headers: { host, accept } }) => ({ ip, url, query, host, accept }));
  app.get('/text/:name', ({ params }, reply) => reply.type('text/plain').send(`für ${JSON.stringify(params)}`));
  app.get('/bytes', (_request, reply) => reply.header('etag', '"x"').send(Buffer.from('für alle')));
  app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['one ', Buffer.from('two')])));
  app.get('/nothing', (_request, reply) => reply.code(204).send());
  app.get('/fails', () => {
    throw Object.assign(new Error('no'), { statusCode: 409 });
  });
  app.get('/breaks', (_request, reply) =>
    reply.send(
      new Readable({
        read() {
          this.push('part');
          this.destroy(new Error('broken'));
        },
      }),
    ),
  );
  await app.ready();
});
afterAll(() => app.close());

const headers = { host: 'site.example', cookie: 'session=x', accept: 'application/json' };

describe('a GET in process', () => {
  it.each(['/asked?a=1&b=%20c', '/text/a%2Fb', '/bytes', '/stream', '/nothing', '/fails', '/missing'])(
    'is answered like one from outside: %s',
    async (url) => {
      const injected = await app.inject({ method: 'GET', url, headers, remoteAddress: '192.0.2.7' });
      answered.length = 0;
      const own = await getInProcess(app, { url, headers, remoteAddress: '192.0.2.7' });
      const { date, connection, 'transfer-encoding': encoding, ...rest } = injected.headers; // of HTTP
      expect([date, connection, encoding].filter(Boolean).length).toBeGreaterThan(0);
      expect({ ...own, headers: { ...own.headers } }).toEqual({
        statusCode: injected.statusCode,
        body: injected.body,
        headers: rest,
      });
      expect(answered).toEqual([url]);
    },
  );

  it('keeps a dotted name a name', async () => {
    const { body } = await getInProcess(app, { url: '/text/..', headers, remoteAddress: '192.0.2.7' });
    expect(body).toBe('für {"name":".."}');
  });

  it('fails when its answer breaks off', async () => {
    await expect(getInProcess(app, { url: '/breaks', headers, remoteAddress: '192.0.2.7' })).rejects.toThrow();
  });
});
