import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const administrator = await makePerson(test, { role: 'administrator' });

/** Invalid for every operation: not a number, not a language, too long for a text. */
const NONSENSE = '!'.repeat(5_000);

/** How the validation library words its own messages. */
const LIBRARY =
  /Invalid (?:input|option|string|key|ISO|UUID|URL|email|number)|received |Too (?:small|big):|Unrecognized key/;

const withInput = ENDPOINTS.filter((endpoint) => endpoint.body || endpoint.query);

describe('invalid input', () => {
  it.each(withInput.map((endpoint) => [endpoint.name, endpoint] as const))('is refused by %s', async (_, endpoint) => {
    const address = mountedPath(endpoint).replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
      name === 'locale' ? 'en' : name === 'email' ? 'nobody@example.gov' : '0190a1b2-0000-7000-8000-000000000000',
    );
    const names = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {}); // queries are objects
    const search = new URLSearchParams(Object.fromEntries(names.map((name) => [name, NONSENSE])));
    const as: As = endpoint.auth === 'service' ? { serviceKey: SERVICE_KEY } : administrator.as;
    const reply = await test.send(endpoint.method, `${address}?${search}`, {
      as,
      body: endpoint.body ? [] : undefined,
      headers: endpoint.auth === 'webhook' ? { 'x-webhook-key': WEBHOOK_KEY } : {},
    });
    expect(reply.status).toBe(400);
    expect(typeof (reply.body.message ?? reply.body.error)).toBe('string');
    expect(JSON.stringify(reply.body)).not.toMatch(LIBRARY);
  });
});

describe('fields of the wrong kind', () => {
  const shapeOf = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}); // of objects
  const withFields = ENDPOINTS.filter(({ body }) => shapeOf(body).length > 0);

  it.each(withFields.map((endpoint) => [endpoint.name, endpoint] as const))(
    'are named by %s in whole sentences',
    async (_, endpoint) => {
      const path = mountedPath(endpoint).replace(/\{(\w+)\}/g, '0190a1b2-0000-7000-8000-000000000000');
      for (const value of [null, 7, '', [], { x: [{}] }, [null], NONSENSE, -1.5, true]) {
        const body = Object.fromEntries([...shapeOf(endpoint.body), 'unknown'].map((name) => [name, value]));
        const as: As = endpoint.auth === 'service' ? { serviceKey: SERVICE_KEY } : administrator.as;
        const headers: Record<string, string> = endpoint.auth === 'webhook' ? { 'x-webhook-key': WEBHOOK_KEY } : {};
        const reply = await test.send(endpoint.method, path, { as, body, headers });
        expect(reply.status).toBeLessThan(500);
        expect([value, JSON.stringify(reply.body)]).not.toEqual([value, expect.stringMatching(LIBRARY)]);
      }
    },
  );
});

describe('the message about one field', () => {
  it.each([
    ['a missing choice', 'PUT', '/api/account/accounts/me/locale', {}, 'locale is required'],
    ['a malformed id', 'GET', '/api/admin/cohorts/x', undefined, 'Must be a UUID'],
    ['an event without an id', 'PUT', '/api/content/entries/it/index', {}, 'id is required'],
  ] as const)('names %s', async (_, method, address, body, message) => {
    const headers = { 'x-webhook-key': WEBHOOK_KEY };
    const reply = await test.send(method, address, { as: administrator.as, body, headers });
    expect([reply.status, reply.body.message]).toEqual([400, message]);
  });
});
