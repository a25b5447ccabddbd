import { connect } from 'node:net';
import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { BODY_LIMIT } from '#server/http/implement.ts';
import { createTestApp } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { listen } from '../fuzz/exchange.ts';

const test = await createTestApp();
const { as: person } = await makePerson(test);
const { as: administrator } = await makePerson(test, { role: 'administrator' });
const port = await listen(test);

const LARGE = ENDPOINTS.filter(({ bodyLimit = 0, upload }) => upload !== undefined || bodyLimit > BODY_LIMIT);

/** The status of the response to a request that sends headers but never a body. */
async function answerToHead(head: string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
    socket.setTimeout(2_000, () => resolve('HTTP/1.1 0 no answer'));
  });
  socket.destroy();
  return Number(answer.split(' ')[1]);
}

describe('a body of megabytes', () => {
  it('is accepted by few operations', () => {
    const names = LARGE.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['createUpload', 'savePiece', 'checkContentZip']));
  });

  it.each(LARGE)('is refused before it is read when the caller may not call $name', async (endpoint) => {
    const head = [
      `${endpoint.method} ${mountedPath(endpoint).replace(/\{\w+\}/g, newId())} HTTP/1.1`,
      'host: localhost',
      `content-type: ${endpoint.upload ? 'multipart/form-data; boundary=x' : 'application/json'}`,
      'content-length: 8000000',
      'sec-fetch-site: same-origin',
    ];
    expect(await answerToHead(head)).toBe(401);
    if (endpoint.auth === 'user') return;
    expect(await answerToHead([...head, `cookie: session=${person.token}`])).toBe(403);
    test.ctx.config.adminSecondFactor = 'required';
    expect(await answerToHead([...head, `cookie: session=${administrator.token}`])).toBe(403);
  });
});
