import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readMicrocourse } from '@officium/contract/content';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml, stringify as writeYaml } from 'yaml';
import { createTestApp } from '#server/test/app.ts';
import { hasSharedData, makeFolder, SHARED_DATA } from '#server/test/factories/content.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();
const root = join(SHARED_DATA, 'articles-18f-guides/content/methods');

/** Reads the method cards of a guide, each of which is a short lesson. */
function cards() {
  return globSync('*/*.md', { cwd: root })
    .sort()
    .flatMap((file) => {
      const [, front = '', body = ''] =
        /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
      const { title, description } = parseYaml(front) as { title?: string; description?: string };
      return title && description && body.trim() !== ''
        ? [{ slug: basename(file, '.md').toLowerCase(), title, description, body }]
        : [];
    });
}

describe.runIf(hasSharedData)('method cards', () => {
  it('are imported as microcourses with their original text', async () => {
    const all = cards();
    expect(all.length).toBeGreaterThan(30);
    const microcourses = all.map(({ slug, title, description }) => ({
      slug,
      title: { en: title },
      summary: { en: description },
      minutes: 10,
      scopes: { can_view: 'public', can_join: 'authenticated' },
      body: { en: `cards/${slug}.md` },
    }));
    const folder = await makeFolder({
      'content.yaml': writeYaml({ format: 1, microcourses }),
      ...Object.fromEntries(all.map(({ slug, body }) => [`cards/${slug}.md`, body])),
    });
    const report = await importPath(test.ctx, folder);
    expect([report.faults, report.summary?.added]).toEqual([[], all.length]);
    for (const { slug, title, description, body } of all) {
      const reply = await test.call(readMicrocourse, {}, { params: { slug } });
      expect([slug, reply.status]).toEqual([slug, 200]);
      expect(reply.body).toMatchObject({ title, summary: description, bodyLocale: 'en' });
      expect(reply.body.html).not.toMatch(/<(?:section|div(?! class="(?:table-scroll|aside)")|script|style)/);
      for (const [, text = ''] of body.matchAll(/^## ([\w ]+)(?:\{#[^}]*\})?\s*$/gm))
        expect(reply.body.html).toContain(text.trim());
    }
  });
});
