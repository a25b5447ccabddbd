import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../../../../e2e/screens.ts';
import results from './accessibility-results.json' with { type: 'json' };

const read = (url: string) => readFileSync(new URL(url, import.meta.url), 'utf8');

// When one of these fails, the statement tells of another product: `npm run accessibility` tests this one and writes it.
describe('the figures of the accessibility statement', () => {
  it('are of the screens there are', () => {
    expect(results.screens).toBe(SCREENS.length);
    expect(results.views).toBeGreaterThan(2 * results.screens);
  });

  it('are of the engine at hand', () => {
    expect(results.axe).toBe(createRequire(import.meta.url)('axe-core/package.json').version);
  });

  it('are of the keyboard journeys there are', () => {
    const journeys = read('../../../../e2e/keyboard.spec.ts').match(/await byKeyboard\(/g) ?? [];
    expect(results.journeys).toBe(journeys.length);
  });
});
