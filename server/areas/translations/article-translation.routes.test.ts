import { createArticle, updateArticle } from '@officium/contract/content';
import { readArticleTranslation } from '@officium/contract/translation';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { engineOf } from '#server/test/factories/translation.ts';

const test = await createTestApp();
const maya = await makePerson(test);
const viewer = await makePerson(test, { role: 'non-public-servant' });

const ARTICLE = {
  title: 'Plain words save time',
  subtitle: 'What we learnt from rewriting letters',
  body: 'We **rewrote** [forty letters](https://example.org/letters).\n\n```\nkeep me\n```',
  tldr: 'Short words win',
  tags: [],
  locale: 'en',
};
const { slug } = (await test.call(createArticle, maya.as, { body: ARTICLE })).body;
const read = (locale: string, as = viewer.as) => test.call(readArticleTranslation, as, { params: { slug, locale } });
const storedParts = async () =>
  (await sql<{ part: string }>`select part from machine_translations order by part`.execute(test.ctx.db)).rows;

/** Installs an engine that translates to capitals and keeps links, emphasis and code. Returns the texts it received. */
const useCapitalsEngine = () => {
  const received: string[] = [];
  test.ctx.translation = engineOf(async ({ content, encoding }) => {
    received.push(encoding);
    return String(content).replace(/\b(?:we|rewrote|forty|letters|plain|words|short)\b(?![^(]*\))/gi, (word) =>
      word.toUpperCase(),
    );
  });
  return received;
};

describe('readArticleTranslation', () => {
  it('returns the original in its own language, even without an engine', async () => {
    const { status, body } = await read('en');
    expect(status).toBe(200);
    expect(readArticleTranslation.replies[200].strict().parse(body)).toMatchObject({
      title: ARTICLE.title,
      source: 'en',
      locale: 'en',
      machine: false,
    });
    const none = await read('fr');
    expect([none.status, none.body.code]).toEqual([503, 'translation.unavailable']);
  });

  it('translates the whole article and stores the result until the article changes', async () => {
    const received = useCapitalsEngine();
    for (let n = 0; n < 2; n++) {
      const { status, body } = await read('fr');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        title: 'PLAIN WORDS save time',
        tldr: 'SHORT WORDS win',
        source: 'en',
        machine: true,
      });
      expect(body.html).toContain('WE <strong>REWROTE</strong> <a href="https://example.org/letters"');
      expect(body.html).toContain('keep me');
    }
    expect(received.toSorted()).toEqual(['markdown', 'plain-text', 'plain-text', 'plain-text']);
    expect(await storedParts()).toHaveLength(4);
    const edited = await test.call(updateArticle, maya.as, { params: { slug }, body: { ...ARTICLE, tldr: null } });
    expect(edited.status).toBe(204);
    expect(await storedParts()).toEqual([]);
    expect((await read('fr')).body.tldr).toBeNull();
  });

  it('refuses a translation with a changed structure and stores nothing', async () => {
    test.ctx.translation = engineOf(async ({ content }) =>
      String(content).replace('https://example.org', 'https://evil.org'),
    );
    const { status, body } = await read('de');
    expect([status, body.code]).toEqual([502, 'translation.invalid']);
    const { rows } = await sql`select from machine_translations where target = 'de'`.execute(test.ctx.db);
    expect(rows).toEqual([]);
  });

  it('needs a signed-in user and an existing article', async () => {
    useCapitalsEngine();
    expect((await test.call(readArticleTranslation, undefined, { params: { slug, locale: 'fr' } })).status).toBe(401);
    expect(
      (await test.call(readArticleTranslation, viewer.as, { params: { slug: 'none', locale: 'fr' } })).status,
    ).toBe(404);
    expect((await read('xx')).status).toBe(400);
    await sql`update articles set withdrawn_at = now() where slug = ${slug}`.execute(test.ctx.db);
    expect((await read('fr')).status).toBe(404);
    expect(await storedParts()).toEqual([]);
  });
});
