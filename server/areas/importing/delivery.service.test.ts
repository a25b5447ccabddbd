import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { en, openDeliveryTwin } from '#server/test/delivery-twin.ts';
import { openDelivery } from './delivery.service.ts';

const twin = await openDeliveryTwin();
afterAll(async () => await twin.close());
const platform = readConfig(twin.settings).contentPlatform!; // the settings name one
const delivery = openDelivery(platform, { timeoutMs: 300 });
const page = (id: string) => ({ id, type: 'page', version: 3, fields: { title: en(`Page ${id}`) } });

beforeEach(() => {
  twin.entries.clear();
  twin.asked.length = 0;
  twin.put(page('a'));
});

describe('openDelivery', () => {
  it('returns entries in all locales, without deleted ones', async () => {
    const found = await delivery.entriesById(['a', 'gone']);
    expect(found.map(({ sys, fields }) => [sys.id, sys.publishedVersion, fields])).toEqual([
      ['a', 3, { title: { 'en-US': 'Page a' } }],
    ]);
    expect(twin.asked[0]).toContain('locale=*');
  });

  it('requests many entries in parts and follows all pages', async () => {
    const ids = Array.from({ length: 250 }, (_, at) => `p${at}`);
    for (const id of ids)
      twin.put({ ...page(id), fields: { related: en({ sys: { type: 'Link', linkType: 'Entry', id: 'a' } }) } });
    expect(await delivery.entriesById(ids)).toHaveLength(250);
    expect(new Set((await delivery.entriesLinkingTo('a')).map(({ sys }) => sys.id)).size).toBe(250);
    expect(twin.asked).toHaveLength(6);
  });

  it('waits for the rate limit to reset', async () => {
    twin.faults.push('limited', 'limited');
    expect(await delivery.entriesById(['a'])).toHaveLength(1);
    expect(twin.asked).toHaveLength(3);
  });

  it.each(['cut', 'silent', 'broken'] as const)('throws when a response is %s', async (fault) => {
    twin.faults.push(fault);
    await expect(delivery.entriesById(['a'])).rejects.toThrow();
  });

  it('returns changes and deletions since a token was issued', async () => {
    const pages = async (token?: string) => await Array.fromAsync(delivery.syncPages(token));
    for (const id of ['b', 'c', 'd']) twin.put(page(id));
    const all = await pages();
    expect(all.flatMap(({ entries }) => entries.map(({ sys }) => sys.id))).toEqual(['a', 'b', 'c', 'd']);
    expect(all.map(({ isLast }) => isLast)).toEqual([false, true]);
    twin.remove('b');
    twin.put({ ...page('c'), version: 4 });
    const [changes, ...more] = await pages(all.at(-1)?.token);
    expect(more).toEqual([]);
    expect([changes?.entries.map(({ sys }) => [sys.id, sys.publishedVersion]), changes?.deletedIds]).toEqual([
      [['c', 4]],
      ['b'],
    ]);
    expect((await pages(changes?.token)).map(({ entries }) => entries)).toEqual([[]]);
    await expect(pages('forgotten')).rejects.toThrow('status 400');
  });

  it('refuses a wrong token', async () => {
    await expect(openDelivery({ ...platform, token: 'other' }).locales()).rejects.toThrow('status 401');
  });
});

describe('content platform settings', () => {
  it('accept the EU host by name and refuse incomplete settings', () => {
    const read = (given: Record<string, string>) => readConfig(given).contentPlatform;
    const both = { CONTENT_SPACE: 's', CONTENT_TOKEN: 't' };
    expect(read({})).toBeUndefined();
    expect(read(both)).toMatchObject({ host: 'https://cdn.contentful.com', environment: 'master' });
    expect(read({ ...both, CONTENT_HOST: 'cdn.eu.contentful.com' })?.host).toBe('https://cdn.eu.contentful.com');
    expect(() => read({ CONTENT_SPACE: 's' })).toThrow('CONTENT_TOKEN: is required with CONTENT_SPACE');
    expect(() => read({ ...both, CONTENT_HOST: 'http://cdn.example.com' })).toThrow('CONTENT_HOST');
    expect(() => read({ ...both, CONTENT_HOST: 'preview.contentful.com' })).toThrow('previews');
  });
});
