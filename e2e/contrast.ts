import type { Page } from 'playwright-core';

/**
 * Decides contrast where axe cannot, such as text over a poll bar or a drawing: samples fifteen points of the text and
 * takes the worst ratio. Includes SVG shapes, which axe ignores. Returns the texts with too little contrast.
 */
export async function settleContrast(page: Page, selectors: string[]): Promise<string[]> {
  return await page.evaluate((targets) => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

    /** A CSS colour as painted by the browser; undefined for none and for images. */
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
      // The colour of an image is unknown, so assume the worst case.
      if (element instanceof HTMLImageElement || style.backgroundImage !== 'none') return read(style.color);
      return read(element instanceof SVGGeometryElement ? style.fill : style.backgroundColor);
    }
    /** The background of a point: the first opaque paint below the text, blended with the translucent ones above. */
    function backgroundAt(x: number, y: number, words: Element): Colour {
      const layers: Colour[] = [];
      for (const element of document.elementsFromPoint(x, y)) {
        if (element === words && words instanceof SVGElement) continue;
        const paint = paintOf(element);
        if (!paint || paint[3] === 0) continue;
        if (paint[3] === 1) return layers.reduceRight((background, layer) => over(layer, background), paint);
        layers.push(paint);
      }
      return [255, 255, 255, 1];
    }

    const faint: string[] = [];
    for (const target of targets) {
      const words = document.querySelector(target);
      if (!words) continue;
      words.scrollIntoView({ block: 'center' });
      const style = getComputedStyle(words);
      const ink = read(words instanceof SVGElement ? style.fill : style.color);
      if (!ink) {
        faint.push(`color-contrast: ${target} has no solid colour`);
        continue;
      }
      const size = Number.parseFloat(style.fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      // Measures the text, not its box, whose rounded corners show what is behind it.
      const range = document.createRange();
      range.selectNodeContents(words);
      const { left, top, width, height } = (words instanceof SVGElement ? words : range).getBoundingClientRect();
      const backgrounds = [0.02, 0.25, 0.5, 0.75, 0.98].flatMap((across) =>
        [0.1, 0.5, 0.9].map((down) => backgroundAt(left + width * across, top + height * down, words)),
      );
      const worst = Math.min(...backgrounds.map((background) => ratio(over(ink, background), background)));
      if (worst < needed) faint.push(`color-contrast: ${target} may have a contrast of only ${worst.toFixed(2)} to 1`);
    }
    return faint;
  }, selectors);
}
