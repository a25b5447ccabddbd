import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../../../../e2e/screens.ts';
import results from './accessibility-results.json' with { type: 'json' };

const read = (url: string) => readFileSync(new URL(url, import.meta.url), 'utf8');

// A failure means the statement describes an older product: `npm run accessibility` tests this one and rewrites it.
describe('the figures of the accessibility statement', () => {
  it('cover the current screens', () => {
    expect(results.screens).toBe(SCREENS.length);
    expect(results.views).toBeGreaterThan(2 * results.screens);
  });

  it('name the current engine versions', () => {
    expect(results.axe).toBe(createRequire(import.meta.url)('axe-core/package.json').version);
  });

  it('count the current keyboard journeys', () => {
    const journeys = read('../../../../e2e/keyboard.spec.ts').match(/await byKeyboard\(/g) ?? [];
    expect(results.journeys).toBe(journeys.length);
  });
});
