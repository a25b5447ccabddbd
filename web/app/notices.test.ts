import { describe, expect, it } from 'vitest';
import { dismiss, noticesFor } from './notices.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const notice = (given: object = {}) => ({
  id: 'a',
  version: 1,
  level: 'information' as const,
  audience: 'everyone' as const,
  texts: { en: 'Closed', fr: 'Fermé' },
  url: null,
  startsAt: new Date(NOW - 1000),
  endsAt: null as Date | null,
  ...given,
});
const visit = { locale: 'fr', isSignedIn: false, dismissed: undefined, now: NOW } as const;
const keysOf = (notices: ReturnType<typeof notice>[], given: object = {}) =>
  noticesFor({ notices }, { ...visit, ...given }).map(({ key }) => key);

describe('the notices of a page', () => {
  it('are those between their start and end, in the language of the reader', () => {
    expect(noticesFor({ notices: [notice()] }, visit)).toEqual([
      { key: 'a.1', level: 'information', words: { text: 'Fermé', lang: 'fr' }, url: null },
    ]);
    expect(keysOf([notice({ startsAt: new Date(NOW + 1) })])).toEqual([]);
    expect(keysOf([notice({ endsAt: new Date(NOW) })])).toEqual([]);
    expect(keysOf([notice({ startsAt: new Date(NOW), endsAt: new Date(NOW + 1) })])).toEqual(['a.1']);
  });

  it('keep those for signed-in people from visitors', () => {
    const members = notice({ audience: 'signed-in' });
    expect(keysOf([members])).toEqual([]);
    expect(keysOf([members], { isSignedIn: true })).toEqual(['a.1']);
  });

  it('leave out a dismissed information until it changes, never a warning', () => {
    const dismissed = dismiss('a.1', 'b.2');
    expect(keysOf([notice(), notice({ version: 2 }), notice({ level: 'warning' })], { dismissed })).toEqual([
      'a.2',
      'a.1',
    ]);
  });

  it('are three at most', () => {
    expect(keysOf(['1', '2', '3', '4'].map((id) => notice({ id })))).toEqual(['1.1', '2.1', '3.1']);
  });
});

it('keeps a bounded list of dismissed ones, each once', () => {
  let cookie: string | undefined;
  for (let at = 0; at < 30; at += 1) cookie = dismiss(`${at % 25}.1`, cookie);
  const kept = cookie?.split('~') ?? [];
  expect(kept).toHaveLength(20);
  expect(new Set(kept).size).toBe(20);
  expect(kept[0]).toBe('4.1');
});
