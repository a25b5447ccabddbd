import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentOf, PAPER } from './accent.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('accentOf', () => {
  it('keeps a colour that can be read', () => {
    expect(accentOf('#0b6e6e')).toMatchObject({ light: { accent: '#0b6e6e' }, isAdjusted: false });
  });

  it('darkens one that is too pale on light pages', () => {
    const { light, isAdjusted } = accentOf('#ffc53d');
    expect(isAdjusted).toBe(true);
    expect(light.accent).not.toBe('#ffc53d');
  });

  it('gives every colour enough contrast, as text and as the background of buttons', () => {
    fc.assert(
      fc.property(colour, (chosen) => {
        const { light, dark } = accentOf(chosen);
        for (const [shades, papers] of [
          [light, PAPER.light],
          [dark, PAPER.dark],
        ] as const) {
          for (const paper of papers) expect(wcagContrast(shades.accent, paper)).toBeGreaterThanOrEqual(4.5);
          for (const shade of [shades.accent, shades.strong])
            expect(wcagContrast(shade, shades.onAccent)).toBeGreaterThanOrEqual(4.5);
          expect(wcagContrast(shades.strong, shades.soft)).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 500 },
    );
  });
});
