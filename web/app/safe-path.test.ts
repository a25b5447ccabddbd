import { expect, test } from 'vitest';
import { safePath } from './safe-path.ts';

test.each([
  ['/me/settings?tab=1', '/me/settings?tab=1'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a\\b', '/'],
  ['https://evil.example', '/'],
  ['/a\r\nset-cookie: x', '/'],
  [null, '/'],
])('%s leads to %s', (given, path) => {
  expect(safePath(given)).toBe(path);
});
