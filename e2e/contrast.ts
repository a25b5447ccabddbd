import type { Page } from 'playwright-core';

/**
 * Where axe cannot tell what lies under words (the bar of a poll, a drawing), this looks at fifteen points of them and
 * takes the worst. Shapes of drawings count, which axe does not see. Answers with the places where words stand out too
 * little.
 */
export async function settleContrast(page: Page, selectors: string[]): Promise<string[]> {
  return await page.evaluate((targets) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

    /** A colour in whatever notation, as the browser paints it; undefined for none and for pictures. */
    function read(css: string): Colour | undefined {
      if (!canvas || css === 'none' || css.startsWith('url(')) return undefined;
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    }
    function over([r, g, b, alpha]: Colour, [R, G, B]: Colour): Colour {
      const mix = (above: number, below: number) => above * alpha + below * (1 - alpha);
      return [mix(r, R), mix(g, G), mix(b, B), 1];
    }
    function luminance([red, green, blue]: Colour): number {
      const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    function ratio(one: Colour, other: Colour): number {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    }
    function paintOf(element: Element): Colour | undefined {
      const style = getComputedStyle(element);
      // Of a picture nobody knows the colour: take the worst there is.
      if (element instanceof HTMLImageElement || style.backgroundImage !== 'none') return read(style.color);
      return read(element instanceof SVGGeometryElement ? style.fill : style.backgroundColor);
    }
    /** What the words lie on at a point: the first solid paint below them, and what shines through on its way there. */
    function groundAt(x: number, y: number, words: Element): Colour {
      const veils: Colour[] = [];
      for (const element of document.elementsFromPoint(x, y)) {
        if (element === words && words instanceof SVGElement) continue;
        const paint = paintOf(element);
        if (!paint || paint[3] === 0) continue;
        if (paint[3] === 1) return veils.reduceRight((ground, veil) => over(veil, ground), paint);
        veils.push(paint);
      }
      return [255, 255, 255, 1];
    }

    const pale: string[] = [];
    for (const target of targets) {
      const words = document.querySelector(target);
      if (!words) continue;
      words.scrollIntoView({ block: 'center' });
      const style = getComputedStyle(words);
      const ink = read(words instanceof SVGElement ? style.fill : style.color);
      if (!ink) {
        pale.push(`color-contrast: ${target} has no plain colour`);
        continue;
      }
      const size = Number.parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      // Of the words, not of their box, whose round corners show what lies behind it.
      const range = document.createRange();
      range.selectNodeContents(words);
      const { left, top, width, height } = (words instanceof SVGElement ? words : range).getBoundingClientRect();
      const grounds = [0.02, 0.25, 0.5, 0.75, 0.98].flatMap((across) =>
        [0.1, 0.5, 0.9].map((down) => groundAt(left + width * across, top + height * down, words)),
      );
      const worst = Math.min(...grounds.map((ground) => ratio(over(ink, ground), ground)));
      if (worst < needed) pale.push(`color-contrast: ${target} may be as pale as ${worst.toFixed(2)} to 1`);
    }
    return pale;
  }, selectors);
}
