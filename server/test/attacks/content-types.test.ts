import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@officium/contract/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { closeConnections, exchange } from '../fuzz/exchange.ts';
import { addressWithNothing } from './address.ts';

const test = await createTestApp({}, { countsAnswers: false });
const administrator = await makePerson(test, { role: 'administrator' });
let port = 0;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port; // it listens on TCP
});
afterAll(closeConnections);

/** Headers under which a body was taken that nothing had looked at, here or in another product. */
const TYPES: [string, string | string[] | undefined][] = [
  ['a tab behind it', 'application/json\t; charset=utf-8'],
  ['a tab and more', 'application/json\ta'],
  ['a space before it', ' application/json'],
  ['a tab before it', '\tapplication/json'],
  ['a space within', 'application /json'],
  ['a semicolon and nothing', 'application/json;'],
  ['two semicolons', 'application/json;;charset=utf-8'],
  ['capitals', 'APPLICATION/JSON'],
  ['another character set', 'application/json; charset=utf-16'],
  ['no character set there is', 'application/json; charset=*'],
  ['a quoted character set', 'application/json; charset="utf-8'],
  ['a form in a parameter', 'application/json; a=multipart/form-data'],
  ['JSON in a parameter', 'text/plain; a=application/json'],
  ['two in one', 'application/json, text/plain'],
  ['the same twice', ['application/json', 'application/json']],
  ['two that differ', ['text/plain', 'application/json']],
  ['a relative of JSON', 'application/vnd.api+json'],
  ['a prefix of JSON', 'application/jsonp'],
  ['plain text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a form in parts', 'multipart/form-data; boundary=x'],
  ['a form in parts without a boundary', 'multipart/form-data'],
  ['XML', 'application/xml'],
  ['nothing', ''],
  ['no such header', undefined],
];

const withBody = ENDPOINTS.filter((endpoint) => endpoint.body ?? endpoint.upload);

/** Of every operation with a body: what it answers to one that nothing of ours would send, asked by who may ask. */
async function answersTo(type: string | string[] | undefined, body: string): Promise<[string, number][]> {
  const answers: [string, number][] = [];
  for (const endpoint of withBody) {
    const as: Record<string, string> =
      endpoint.auth === 'webhook'
        ? { 'x-webhook-key': WEBHOOK_KEY }
        : endpoint.auth === 'service'
          ? { authorization: `Bearer ${SERVICE_KEY}` }
          : { cookie: `session=${administrator.as.token}`, 'sec-fetch-site': 'same-origin' };
    const { status } = await exchange(port, {
      method: endpoint.method,
      url: addressWithNothing(endpoint, administrator.id),
      headers: { ...as, ...(type === undefined ? {} : { 'content-type': type as string }) }, // Node sends a list as several
      body,
    });
    answers.push([endpoint.name, status]);
  }
  return answers;
}

describe.each(TYPES)('a body whose Content-Type has %s', (_, type) => {
  // A list is nothing any operation takes: where it is read, it is refused; where it is not, its type is.
  it('gets past no operation unchecked', async () => {
    const through = (await answersTo(type, '["nothing", {"any": "operation takes"}]')).filter(
      ([, status]) => status !== 400 && status !== 415,
    );
    expect(through).toEqual([]);
  });
});
