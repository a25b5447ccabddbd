import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeMessages } from '@officium/i18n/catalogue';
import { describe, expect, it } from 'vitest';
import { GUIDES } from './app/areas/help/guides.ts';
import { searchHelp } from './app/areas/help/help.ts';
import routes from './app/routes.ts';
import { isScreen, readHelp } from './help-pages.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
const { pages, pictures } = readHelp();
const guides = GUIDES.map((guide) => ({ guide, text: readFileSync(join(DOCS, `guides/${guide}.md`), 'utf8') }));

type RouteLike = { path?: string | undefined; children?: RouteLike[] | undefined };
const pathsOf = (all: readonly RouteLike[]): string[] =>
  all.flatMap(({ path, children = [] }) => [...(path ? [`/${path}`] : []), ...pathsOf(children)]);
const screens = new Set(pathsOf(routes));
const codeIn = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

describe('the guides of the help', () => {
  it('are all there, without others', () => {
    const files = globSync('guides/*.md', { cwd: DOCS }).sort();
    expect(files).toEqual(GUIDES.map((guide) => `guides/${guide}.md`).sort());
    expect(pages.filter(({ isGuide }) => isGuide).map(({ slug }) => slug)).toEqual([...GUIDES]);
  });

  it('name only screens that exist', () => {
    const named = guides.flatMap(({ guide, text }) =>
      codeIn(text).flatMap((code) => (isScreen(code) ? [`${guide}: ${code}`] : [])),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((one) => !screens.has(one.slice(one.indexOf('/'))))).toEqual([]);
  });

  it('name buttons and fields as the interface does', () => {
    const texts = new Set(Object.values(mergeMessages('en')));
    const named = guides.flatMap(({ guide, text }) =>
      [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => ({ guide, label })),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ label }) => !texts.has(label))).toEqual([]);
  });

  it('show only small pictures that exist, and leave none unused', () => {
    for (const { path, source, width, height } of pictures) {
      expect([path, source.length < 120 * 1024]).toEqual([path, true]);
      expect([path, width > 300, height > 300]).toEqual([path, true, true]);
    }
    const shown = [readFileSync(join(DOCS, '../README.md'), 'utf8'), ...guides.map(({ text }) => text)].join('\n');
    const unused = globSync('guides/pictures/*', { cwd: DOCS }).filter((file) => !shown.includes(file.slice(7)));
    expect(unused).toEqual([]);
  });
});

describe('the pages of the help', () => {
  const anchors = new Map(pages.map(({ slug, sections }) => [`/help/${slug}`, sections.map(({ id }) => id)]));

  it('link only to pages and headings of the help, to screens and to other sites', () => {
    const links = pages.flatMap(({ slug, html }) =>
      [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => ({ slug, link })),
    );
    const broken = links.filter(({ slug, link }) => {
      if (/^(?:https?|mailto):/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      if (path !== '' && !path.startsWith('/help/')) return !screens.has(path);
      const known = anchors.get(path === '' ? `/help/${slug}` : path);
      return !known || (anchor !== undefined && !known.includes(anchor));
    });
    expect(links.length).toBeGreaterThan(80);
    expect(broken).toEqual([]);
  });

  it('have one address each, and a title that is not repeated in the text', () => {
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
    for (const { title, html } of pages) {
      expect(title).not.toBe('');
      expect(html).not.toContain('<h1');
      expect(html).not.toContain('<script');
    }
  });

  it('take pictures from the build', () => {
    const sources = pages.flatMap(({ html }) => [...html.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source));
    expect(sources.length).toBeGreaterThan(5);
    expect(new Set(sources)).toEqual(new Set(pictures.map(({ path }) => `/${path}`)));
    for (const { html } of pages) expect(html).not.toContain('alt=""');
  });
});

describe('the search of the help', () => {
  it('finds the sections with all words, those with the words in their title first', () => {
    const [first, ...others] = searchHelp(pages, 'Get CERTIFICATE');
    expect(first).toMatchObject({
      address: '/help/learner#get-your-certificate',
      page: 'Learning',
      section: 'Get your certificate',
    });
    expect(others.length).toBeGreaterThan(0);
    expect(searchHelp(pages, 'decide appeals')[0]?.page).toBe('Moderating');
  });

  it('finds nothing for nothing, and takes any text', () => {
    expect(searchHelp(pages, '  ')).toEqual([]);
    expect(searchHelp(pages, 'zzzz')).toEqual([]);
    expect(searchHelp(pages, '(.*[')).toEqual([]);
  });

  it('finds at most twenty', () => {
    expect(searchHelp(pages, 'the')).toHaveLength(20);
  });
});
