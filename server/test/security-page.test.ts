import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${ROOT}/docs/security.md`, 'utf8');

/** The page by section: `S-1` and its text. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, name] = /^([SF]-\d+)/.exec(section) ?? [];
      return name ? [[name, section] as const] : [];
    }),
);
/** References to tests: a file in backticks, then › and the title. */
const testsIn = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.tsx?)`((?: › [^›|\n]+?)+)(?=; `|\s*\|)/g)].flatMap(([, file = '', titles = '']) =>
    titles
      .split(' › ')
      .slice(1)
      .map((title) => ({ file, title: title.trim() })),
  );
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:server|web|contract|e2e|docs|deploy)\/[\w./-]+)`/g)].map(([, path = '']) => path);

/** The titles of a file's tests. Titles with placeholders match by their fixed words. */
function titlesOf(file: string): string[] {
  const text = readFileSync(`${ROOT}/${file}`, 'utf8').replaceAll(/\\(['\\])/g, '$1');
  return [...text.matchAll(/(?:\b(?:it|itInProcess|test|describe)|\))\s*\(\s*(['"`])([^]*?)\1\s*,/g)].map(
    ([, , title = '']) => title,
  );
}

describe('the security page', () => {
  it('covers every attack on the list with tests', () => {
    const expected = Array.from({ length: 27 }, (_, nth) => `S-${nth + 1}`);
    expect([...sections.keys()]).toEqual(expected);
    expect([...sections].filter(([, text]) => testsIn(text).length === 0).map(([name]) => name)).toEqual([]);
  });

  it('refers to existing tests', () => {
    const tests = testsIn(page);
    expect(tests.length).toBeGreaterThan(120);
    const missing = tests.filter(
      ({ file, title }) => !existsSync(`${ROOT}/${file}`) || !titlesOf(file).includes(title),
    );
    expect(missing.map(({ file, title }) => `${file} › ${title}`)).toEqual([]);
  });

  it('has a test in every table row', () => {
    const lines = [...sections.values()].flatMap((text) =>
      text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:attack|---)/.test(line)),
    );
    expect(lines.length).toBeGreaterThan(80);
    expect(lines.filter((line) => testsIn(line).length === 0)).toEqual([]);
  });

  it('refers to existing files', () => {
    const paths = pathsIn(page);
    expect(paths.length).toBeGreaterThan(150);
    expect([...new Set(paths)].filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
  });
});
