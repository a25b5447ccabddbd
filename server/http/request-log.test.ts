import { describe, expect, it } from 'vitest';
import { loggedPath } from './request-log.ts';

describe('loggedPath', () => {
  it('hides e-mail addresses and the query', () => {
    expect(loggedPath('/api/auth/passwords/maya@example.gov')).toBe('/api/auth/passwords/<address>');
    expect(loggedPath('/api/auth/passwords/maya%40example.gov/state?next=omar@example.gov')).toBe(
      '/api/auth/passwords/<address>/state',
    );
    expect(loggedPath('/api/catalogue?q=plain')).toBe('/api/catalogue');
  });

  it('cuts long paths in linear time', () => {
    const shown = loggedPath(`/api/${'a'.repeat(15_000)}`);
    expect(shown).toHaveLength(501);
    // In quadratic time the test would exceed its limit.
    for (const character of ['a', '@', '/', '%', '%4'])
      expect(loggedPath(`/api/${character.repeat(1_000_000)}`).length).toBeLessThan(502);
  });
});
