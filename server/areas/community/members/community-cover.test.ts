import { listCommunities, readCommunity } from '@officium/contract/community';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

const KEY = `${'a'.repeat(64)}.webp`;

describe('the cover of a community', () => {
  it('is null until one is published, then shown on the page and in the list', async () => {
    const { slug } = await makeCommunity(db, { position: -9 });
    const params = { slug };
    expect((await test.call(readCommunity, undefined, { params })).body.cover).toBeNull();
    const { rows } = await sql<{ entry_id: string }>`select entry_id from communities where slug = ${slug}`.execute(db);
    const path = `${rows[0]?.entry_id}/images/cover.webp`;
    await sql`insert into content_assets (path, entry_id, key, mime, bytes, hash)
      values (${path}, ${rows[0]?.entry_id}, ${KEY}, 'image/webp', 1, ${'a'.repeat(64)})`.execute(db);
    await sql`update communities set cover = ${path}, cover_alt = '{"en": "A square", "fr": "Une place"}'
      where slug = ${slug}`.execute(db);
    const page = await test.call(readCommunity, undefined, { params, query: { locale: 'fr-CA' } });
    expect(page.body.cover).toEqual({ url: `/content-assets/${KEY}`, alt: 'Une place' });
    const { communities } = (await test.call(listCommunities, undefined, { query: { locale: 'de' } })).body;
    expect(communities.find((one: { slug: string }) => one.slug === slug)?.cover).toEqual({
      url: `/content-assets/${KEY}`,
      alt: 'A square',
    });
  });
});
