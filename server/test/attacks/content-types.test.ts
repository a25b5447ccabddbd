import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { exchange, listen } from '../fuzz/exchange.ts';
import { unusedUrl } from './address.ts';

const test = await createTestApp({}, { countsAnswers: false });
const administrator = await makePerson(test, { role: 'administrator' });
const port = await listen(test);

/** Content types under which some product has accepted an unchecked body. */
const TYPES: [string, string | string[] | undefined][] = [
  ['a tab after the type', 'application/json\t; charset=utf-8'],
  ['a tab and more text', 'application/json\ta'],
  ['a leading space', ' application/json'],
  ['a leading tab', '\tapplication/json'],
  ['an inner space', 'application /json'],
  ['a trailing semicolon', 'application/json;'],
  ['two semicolons', 'application/json;;charset=utf-8'],
  ['capitals', 'APPLICATION/JSON'],
  ['another character set', 'application/json; charset=utf-16'],
  ['an unknown character set', 'application/json; charset=*'],
  ['an unclosed quote', 'application/json; charset="utf-8'],
  ['a form in a parameter', 'application/json; a=multipart/form-data'],
  ['JSON in a parameter', 'text/plain; a=application/json'],
  ['two types in one header', 'application/json, text/plain'],
  ['the same header twice', ['application/json', 'application/json']],
  ['two different headers', ['text/plain', 'application/json']],
  ['a relative of JSON', 'application/vnd.api+json'],
  ['a prefix of JSON', 'application/jsonp'],
  ['plain text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a multipart form', 'multipart/form-data; boundary=x'],
  ['a multipart form without a boundary', 'multipart/form-data'],
  ['XML', 'application/xml'],
  ['nothing', ''],
  ['no value at all', undefined],
];

const withBody = ENDPOINTS.filter((endpoint) => endpoint.body ?? endpoint.upload);

/** The answers of every operation with a body to an invalid body, sent by a permitted viewer. */
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
      url: unusedUrl(endpoint, administrator.id),
      headers: { ...as, ...(type === undefined ? {} : { 'content-type': type as string }) }, // Node sends a list as several headers
      body,
    });
    answers.push([endpoint.name, status]);
  }
  return answers;
}

describe.each(TYPES)('a body whose Content-Type has %s', (_, type) => {
  // No operation accepts a list: if the body is parsed, it is refused; otherwise the type is.
  it('is refused by every operation', async () => {
    const through = (await answersTo(type, '["nothing", {"any": "operation takes"}]')).filter(
      ([, status]) => status !== 400 && status !== 415,
    );
    expect(through).toEqual([]);
  });
});
