import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeal } from '#server/access/seal.ts';
import { OUTSIDE_PICTURES, readPath, shownAddress } from './outside-picture.policy.ts';

const { hash } = createSeal('0123456789abcdef0123456789abcdef');
const OURS = 'https://learn.example.gov';
const shown = (address: string) => shownAddress(hash, OURS, address, 'whole');
const partsOf = (path: string) => {
  const [, , , name = '', address = ''] = path.split('/');
  return { name, address };
};

describe('shownAddress', () => {
  it.each([
    ['/files/profiles/a.webp', '/files/profiles/a.webp'],
    ['https://learn.example.gov/files/profiles/a.webp?x', '/files/profiles/a.webp?x'],
    ['data:image/png;base64,AA', 'data:image/png;base64,AA'],
    ['', ''],
    ['a/b.png', 'a/b.png'],
    ['https://', 'https://'],
  ])('turns %s into %s', (given, path) => expect(shown(given)).toBe(path));

  it.each(['https://cdn.example/a b.png?x=1&y="2"#part', 'http://cdn.example:8080/é', '//cdn.example/a.png'])(
    'turns %s on another host into a path of this site that contains it',
    (given) => {
      const path = shown(given);
      expect(path).toMatch(new RegExp(`^${OUTSIDE_PICTURES}/whole-[0-9a-f]{32}/[A-Za-z0-9_-]+$`));
      const url = new URL(given, OURS);
      url.hash = '';
      expect(readPath(hash, partsOf(path))).toMatchObject({ edge: 1600, url });
      expect(shown(path)).toBe(path);
    },
  );

  it.each([
    'https://learn.example.gov//cdn.example/a.png',
    'https://learn.example.gov/\\cdn.example/a.png',
    'https://learn.example.gov/..//cdn.example/a.png',
    '//learn.example.gov//cdn.example/a.png',
  ])('keeps %s, which could be read as another host, on this site', (given) => {
    expect(new URL(shown(given), OURS).origin).toBe(OURS);
  });

  it('cannot be forged or used for another address', () => {
    const { name, address } = partsOf(shown('https://cdn.example/a.png'));
    const other = Buffer.from('https://cdn.example/b.png').toString('base64url');
    for (const path of [
      { name, address: other },
      { name: name.replace('whole', 'face'), address },
      { name: name.slice(0, -1), address },
      { name: `${name}0`, address },
      { name: '', address },
      { name, address: `${address}=` },
      { name, address: `${address} ` },
    ])
      expect(readPath(hash, path)).toBeUndefined();
    const foreign = createSeal('another key of 32 characters, yes');
    expect(readPath(foreign.hash, { name, address })).toBeUndefined();
    fc.assert(fc.property(fc.string(), fc.string(), (n, a) => readPath(hash, { name: n, address: a }) === undefined));
  });

  it('rejects an overlong address', () => {
    expect(readPath(hash, partsOf(shown(`https://cdn.example/${'a'.repeat(2_100)}`)))).toBeUndefined();
  });
});
