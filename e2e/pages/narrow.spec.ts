import { beforeAll, describe, expect, it } from 'vitest';
import { findScreens } from '../people.ts';
import type { Found } from '../screens.ts';
import { overruns, walk } from './walk.ts';

let found: Found;
beforeAll(async () => {
  found = await findScreens();
});

describe.each(['de', 'ja'])('every screen in %s', (locale) => {
  it('does not scroll sideways at 320 px', { timeout: 120_000 }, async () => {
    for (const person of ['visitor', 'member'] as const) {
      const bad = await walk(person, { found, locale, width: 320 }, overruns);
      expect(bad).toEqual([]);
    }
  });
});
