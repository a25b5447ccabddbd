import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { safePath } from './safe-path.ts';

test.each([
  ['/me/settings?tab=1#top', '/me/settings?tab=1#top'],
  ['/日本?q=é#ü', '/%E6%97%A5%E6%9C%AC?q=%C3%A9#%C3%BC'],
  ['/a/../b/./c', '/b/c'],
  ['//evil.example', '/'],
  ['/..//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/%2e%2E//evil.example', '/'],
  ['/a/../..//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a\\b', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\r\nset-cookie: x', '/'],
  ['', '/'],
  [null, '/'],
])('turns %s into %s', (given, path) => {
  expect(safePath(given)).toBe(path);
});

it('always returns a path of this site that is valid in a header, as browsers parse it', () => {
  const pieces = fc.constantFrom(...'/\\.:@?#%&=\t\n\r 日é', '..', '//', '%2e', '%2F', '%5c', 'evil.example', 'https:');
  const given = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(given, fc.boolean(), (text, isPath) => {
      const path = safePath(isPath ? `/${text}` : text);
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
      expect(new URL(path, 'https://site.example').origin).toBe('https://site.example');
      expect(safePath(path)).toBe(path);
    }),
    { numRuns: 500 },
  );
});

it('is used by every redirect except the one to the organisation’s sign-in', async () => {
  const app = join(import.meta.dirname, '..');
  const files = (await readdir(app, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const sources = await Promise.all(
    files.map(async (name) => ({ name, text: await readFile(join(app, name), 'utf8') })),
  );
  const free = sources.filter(({ text }) =>
    /import \{[^}]*\b(?:redirect\w*|replace)\b[^}]*\} from 'react-router'|['"]location['"]\s*[:,]/i.test(text),
  );
  expect(free.map(({ name }) => name).toSorted()).toEqual([
    'areas/auth/provider-start.action.ts',
    'server/redirect.ts',
  ]);
});
