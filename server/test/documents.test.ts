import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './process.ts';

const pages = globSync('{*.md,docs/**/*.md,contract/*.md,.github/**/*.md}', { cwd: ROOT });
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchor of a heading, as forges make it. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string) =>
  new Set(
    [
      ...textOf(page)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/^#+ (.+)$/gm),
    ].map(([, title = '']) => anchorOf(title.trim())),
  );

/** Links to our own pages that lead nowhere. */
function brokenLinksOf(page: string): string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor) ? [`${page}: ${link}`] : [];
  });
}

describe('the documents', () => {
  it('have no link that leads nowhere', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(pages.flatMap(brokenLinksOf)).toEqual([]);
  });

  it('name only commands that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }; // our own file
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:--silent )?([a-z][a-z:0-9-]*)(?![a-z:0-9-]| -w)/g)].map(
        ([, name = '']) => ({
          page,
          name,
        }),
      ),
    );
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
