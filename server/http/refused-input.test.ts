import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const administrator = await makePerson(test, { role: 'administrator' });

/** Nothing any operation takes: not a number, not a language, too long for a text. */
const NONSENSE = '!'.repeat(5_000);

const withInput = ENDPOINTS.filter((endpoint) => endpoint.body || endpoint.query);

describe('input that is not the operation’s', () => {
  it.each(withInput.map((endpoint) => [endpoint.name, endpoint] as const))('%s refuses it', async (_, endpoint) => {
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
  });
});

describe('the message about one field', () => {
  it.each([
    ['a choice left out', 'PUT', '/api/account/accounts/me/locale', {}, 'locale is required'],
    ['an id that is none', 'GET', '/api/admin/cohorts/x', undefined, 'Must be a UUID'],
    ['an event without an id', 'PUT', '/api/content/entries/it/index', {}, 'id is required'],
  ] as const)('names %s', async (_, method, address, body, message) => {
    const headers = { 'x-webhook-key': WEBHOOK_KEY };
    const reply = await test.send(method, address, { as: administrator.as, body, headers });
    expect([reply.status, reply.body.message]).toEqual([400, message]);
  });
});
