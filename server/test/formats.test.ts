import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setLocale } from '@officium/contract/account';
import { createAccount } from '@officium/contract/auth';
import { LOCALES, Uuid } from '@officium/contract/common';
import { createArticle, readEntrySlug } from '@officium/contract/content';
import { mountedPath, type Endpoint } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { translatePayload } from '@officium/contract/translation';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '#server/db/client.ts';
import { createTestApp } from './app.ts';
import { makePerson } from './factories/accounts.ts';
import { hasSharedData, SHARED_DATA } from './factories/content.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

type Case = { description: string; data: string; valid: boolean };
const read = (file: string) => readFileSync(join(SHARED_DATA, 'formats-validation', file), 'utf8');
const cases = (file: string): Case[] => (hasSharedData ? JSON.parse(read(file)) : []);
const tags = (file: string) =>
  hasSharedData
    ? read(file)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
    : [];

const shapeOf = (endpoint: Endpoint) => (endpoint.params as z.ZodObject | undefined)?.shape ?? {}; // params are zod objects
const isUuid = (schema: z.core.$ZodType) =>
  z.safeParse(schema, newId()).success && !z.safeParse(schema, 'no-uuid').success;
const withUuids = ENDPOINTS.filter((endpoint) => Object.values(shapeOf(endpoint)).some(isUuid));

/** Sends a value for one parameter, with valid ones for the others, and returns the issues of that parameter. */
async function sendId(endpoint: Endpoint, name: string, value: string) {
  const url = mountedPath(endpoint).replace(/\{(\w+)\}/g, (_, other: string) => {
    if (other === name) return encodeURIComponent(value);
    if (other === 'locale') return 'en';
    return /email/i.test(other) ? 'nobody@example.gov' : newId();
  });
  const body = endpoint.method === 'GET' ? undefined : {};
  const reply = await test.send(endpoint.method, url, { as: admin.as, body });
  const issues: { path: string }[] = reply.body?.issues ?? [];
  return { status: reply.status, isNamed: issues.some(({ path }) => path === name) };
}

describe.runIf(hasSharedData)('formats', () => {
  it.each(withUuids.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s accepts exactly valid UUIDs',
    async (name, endpoint) => {
      for (const [param, schema] of Object.entries(shapeOf(endpoint)).filter(([, schema]) => isUuid(schema)))
        for (const { data, valid } of cases('uuid.json')) {
          expect([data, z.safeParse(schema, data).success]).toEqual([data, valid]);
          const { status, isNamed } = await sendId(endpoint, param, data);
          expect(status).toBeLessThan(500);
          if (valid) expect([data, isNamed]).toEqual([data, false]);
          else expect([data, status]).toEqual([data, 400]);
          // Refused translations have an error body without issues.
          if (!valid && name !== translatePayload.name) expect([data, isNamed]).toEqual([data, true]);
        }
    },
  );

  it('UUIDs are normalised to lower case', () => {
    for (const { data } of cases('uuid.json').filter(({ valid }) => valid))
      expect(Uuid.parse(data)).toBe(data.toLowerCase());
  });

  it.each(cases('uri.json').map(({ data, valid, description }) => [description, data, valid] as const))(
    'a web address: %s',
    async (_, data, valid) => {
      // http needs a host: RFC 9110, section 4.2.1.
      const isTaken = valid && /^https?:/.test(data) && data !== 'http://:80';
      const article = {
        title: 'A letter people can use',
        subtitle: 'What changed when we watched',
        body: 'We wrote it three times.',
      };
      const cover = {
        url: 'https://a.example/b.jpg',
        height: 8,
        width: 8,
        authorName: 'Somebody',
        authorLink: 'https://a.example',
      };
      for (const field of ['url', 'authorLink']) {
        const body = { ...article, coverImage: { ...cover, [field]: data } };
        const reply = await test.call(createArticle, admin.as, { body });
        expect([field, reply.status]).toEqual([field, isTaken ? 201 : 400]);
        if (!isTaken)
          expect(reply.body.issues).toEqual([
            { path: `coverImage.${field}`, message: 'Must be an http or https address' },
          ]);
      }
      const body = { name: 'Maya', email: `bio-${newId()}@example.gov`, bioLink: data };
      expect((await test.call(createAccount, {}, { body })).status).toBe(isTaken ? 200 : 400);
    },
  );

  it.each([...tags('language_syntax_valid.txt'), ...tags('language_syntax_invalid.txt')])(
    'the language %s',
    async (tag) => {
      const isOurs = (LOCALES as readonly string[]).includes(tag);
      expect((await test.call(setLocale, admin.as, { body: { locale: tag } })).status).toBe(isOurs ? 200 : 400);
      const slug = await test.call(readEntrySlug, {}, { params: { id: 'none' }, query: { locale: tag } });
      expect(slug.status).toBe(isOurs ? 404 : 400);
      const payload = { params: { id: newId(), locale: tag }, body: { payloadType: 'activity_payload' } };
      expect((await test.call(translatePayload, admin.as, payload)).status).toBe(isOurs ? 404 : 400);
    },
  );
});
