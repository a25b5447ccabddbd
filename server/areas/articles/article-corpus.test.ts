import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createActivity, readActivity } from '@officium/contract/community';
import { createArticle, readArticle } from '@officium/contract/content';
import { translate } from '@officium/contract/translation';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';

const test = await createTestApp();
const author = await makePerson(test);

type Guide = { file: string; title: unknown; description: unknown; body: string };

/** Reads Markdown files with front matter as articles. */
function guides(folder: string): Guide[] {
  const root = join(SHARED_DATA, folder);
  return globSync('**/*.md', { cwd: root })
    .sort()
    .map((file) => {
      const [, front = '', body = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(
        readFileSync(join(root, file), 'utf8'),
      ) ?? ['', '', ''];
      const { title, description } = (parseYaml(front) ?? {}) as { title?: unknown; description?: unknown }; // front matter of unknown shape
      return { file, title, description, body };
    });
}

const post = ({ title, description, body }: Guide, locale = 'en') =>
  test.call(createArticle, author.as, { body: { title, subtitle: description, body, tags: [], locale } });
const read = async (slug: string) => (await test.call(readArticle, {}, { params: { slug } })).body;
const fieldsOf = (issues: { path: string }[] = []) => issues.map(({ path }) => path);

/** Returns the elements of a page as `name` or `name.attribute`, and its text on one line. */
function partsOf(html: string): { names: Set<string>; text: string } {
  const names = new Set<string>();
  let text = '';
  new Parser({
    onopentag(name, attributes) {
      names.add(name);
      for (const attribute of Object.keys(attributes)) names.add(`${name}.${attribute}`);
    },
    ontext: (piece) => void (text += piece),
  }).end(html);
  return { names, text: text.replace(/\s+/g, ' ') };
}

describe.runIf(hasSharedData)('guides written by public servants', () => {
  it('become articles, or the reply names the field that does not fit', async () => {
    const all = guides('articles-18f-guides/content');
    const refused: string[][] = [];
    for (const guide of all) {
      const reply = await post(guide);
      if (reply.status === 201) expect((await read(reply.body.slug)).seoTitle).toBe(String(guide.title).trim());
      else {
        expect([guide.file, reply.status]).toEqual([guide.file, 400]);
        refused.push(fieldsOf(reply.body.issues));
      }
    }
    expect([all.length, refused.length]).toEqual([87, 50]);
    expect(new Set(refused.flat())).toEqual(new Set(['title', 'subtitle', 'body']));
    expect(refused.filter((fields) => fields.includes('subtitle'))).toHaveLength(40);
  });

  it('keep their tables with header cells', async () => {
    const withTables = guides('articles-18f-guides/content').filter(({ body }) => /^\|[\s:|-]+\|\s*$/m.test(body));
    expect(withTables.length).toBeGreaterThan(3);
    for (const guide of withTables) {
      const { body } = await post({ ...guide, title: 'A guide with a table', description: 'Rows and columns of it' });
      expect([guide.file, (await read(body.slug)).html]).toEqual([guide.file, expect.stringMatching(/<th[ >]/)]);
    }
  });

  it('mention nobody and show text in curly braces as written', async () => {
    const community = await makeCommunity(test.ctx.db);
    await makeMember(test.ctx.db, community, author);
    let curly = 0;
    for (const { file, body } of guides('articles-18f-guides/content').filter((guide) => guide.body.trim() !== '')) {
      const params = { slug: community.slug };
      const made = await test.call(createActivity, author.as, { params, body: { verb: 'post', body } });
      expect([file, made.status]).toEqual([file, 201]);
      const shown = await test.call(readActivity, author.as, { params: { ...params, id: made.body.id } });
      expect(shown.body.mentioned_users).toEqual({});
      for (const [piece] of body.matchAll(/\{\{ "[^"{}<>]+" \| url \}\}/g)) {
        curly += 1;
        expect(shown.body.body).toContain(piece);
      }
    }
    expect(curly).toBeGreaterThan(50);
  });
});

describe.runIf(hasSharedData)('guides in four languages', () => {
  it.each([
    ['en', 13, 11, 7],
    ['fr', 12, 8, 9],
    ['ar', 12, 11, 6],
    ['ja', 12, 10, 4],
  ])('are accepted or refused by their length: %s', async (locale, count, accepted, long) => {
    const all = guides(`articles-opensource-guides/${locale}`);
    expect(all).toHaveLength(count);
    let published = 0;
    let tooLong = 0;
    for (const guide of all) {
      const reply = await post(guide, locale);
      if (reply.status === 201) {
        published += 1;
        const article = await read(reply.body.slug);
        expect(article).toMatchObject({
          title: String(guide.title).normalize('NFC'),
          seoTitle: String(guide.title).normalize('NFC'),
          seoDescription: String(guide.description).normalize('NFC'),
          authorTag: 'Community post',
          type: 'from-the-community',
          locale,
        });
        const { names, text } = partsOf(article.html);
        expect(
          [...names].filter((name) => /^(?:input|label|section|style|script)\b|\.(?:on|style)/.test(name)),
        ).toEqual([]);
        const divs = article.html.match(/<div[^>]*>/g) ?? [];
        // The renderer adds these.
        expect(divs.filter((div: string) => !/^<div class="(?:table-scroll|aside)"/.test(div))).toEqual([]);
        for (const [, quote = ''] of guide.body.matchAll(/<aside[^>]*>([\s\S]*?)<\/aside>/g)) {
          const words = partsOf(quote).text.match(/[\p{L}\p{N}]{4,}/gu) ?? [];
          for (const word of words) expect(text).toContain(word);
        }
        expect(article.html).not.toMatch(/&amp;[a-z]+;/);
      } else {
        expect([guide.file, reply.status]).toEqual([guide.file, 400]);
        expect(['title', 'subtitle']).toContain(fieldsOf(reply.body.issues)[0]);
      }
      const request = { content: guide.body, encoding: 'plain-text', sourceLocales: [locale], targetLocales: ['de'] };
      const translation = await test.call(translate, author.as, { body: request });
      if (translation.status === 400) {
        tooLong += 1;
        expect(translation.body).toEqual({
          error: 'Content must not exceed 15000 characters',
          code: 'invalid_request',
        });
      } else expect(translation.status).toBe(503); // no provider here
    }
    expect([published, tooLong]).toEqual([accepted, long]);
  });

  it('show a character that was written as an entity', async () => {
    const guide = guides('articles-opensource-guides/fr').find(({ file }) => file === 'building-community.md')!; // it is there
    const { html, headings } = await read((await post(guide, 'fr')).body.slug);
    expect(html).toContain('Mise en place de votre projet pour le succès</h2>');
    expect(headings.map(({ text }: { text: string }) => text)).toContain(
      'Mise en place de votre projet pour le succès',
    );
  });

  it('get different slugs when published twice', async () => {
    const guide = guides('articles-opensource-guides/en').find(({ file }) => file === 'finding-users.md')!; // it is there
    const slugs = [(await post(guide)).body.slug, (await post(guide)).body.slug];
    expect(new Set(slugs).size).toBe(2);
    for (const slug of slugs) expect(slug).toMatch(/^finding-users-for-your-project-([1-9]\d{0,2}|1000)$/);
  });
});

describe.runIf(hasSharedData)('a page with every Markdown feature', () => {
  it('keeps tables and lists but no divs or unsafe markup', async () => {
    const body = readFileSync(join(SHARED_DATA, 'richtext-contentful/real-world.md'), 'utf8');
    const made = await test.call(createArticle, author.as, {
      body: { title: 'All that Markdown knows', subtitle: 'In the real world', body, tags: [] },
    });
    expect(made.status).toBe(201);
    const { html, body: stored } = await read(made.body.slug);
    const { names } = partsOf(html.replaceAll('<div class="table-scroll"', '<p'));
    for (const name of ['table', 'th', 'td', 'ul', 'ol', 'li', 'blockquote', 'code', 'h2', 'hr', 'br'])
      expect([...names]).toContain(name);
    for (const name of ['div', 'script', 'style', 'iframe', 'input']) expect([...names]).not.toContain(name);
    expect(stored).not.toContain('<div');
  });
});
