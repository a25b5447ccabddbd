import { converter, formatHex, wcagContrast } from 'culori';

/** The accent colour on light and on dark pages, each with what belongs to it, as `#rrggbb`. */
export type Accent = { light: Shades; dark: Shades; isAdjusted: boolean };
export type Shades = { accent: string; strong: string; soft: string; onAccent: string };

/** The backgrounds on which accented text stands; web/app/app.css has the same values. */
export const PAPER = { light: ['#fbfaf7', '#ffffff', '#f3f0e9'], dark: ['#13152a', '#1b1e39', '#0f1122'] } as const;
/** WCAG asks for 4.5; the rest is for the softer background of hovered parts. */
const CONTRAST = 5;
const STEP = 0.01;

const toOklch = converter('oklch');
type Oklch = NonNullable<ReturnType<typeof toOklch>>;

const leastContrast = (colour: string, backgrounds: readonly string[]) =>
  Math.min(...backgrounds.map((background) => wcagContrast(colour, background)));

/** Moves the lightness until the colour can be read on all of the backgrounds; hue and chroma stay. */
function untilReadable(colour: Oklch, step: number, backgrounds: readonly string[]): string {
  let { l } = colour;
  let hex = formatHex(colour);
  while (leastContrast(hex, backgrounds) < CONTRAST && l + step >= 0 && l + step <= 1) {
    l += step;
    hex = formatHex({ ...colour, l });
  }
  return hex;
}

function shadesOf(accent: string, { away, soft, dark }: { away: number; soft: number; dark: boolean }): Shades {
  const colour = toOklch(accent)!; // a valid hex colour
  return {
    accent,
    strong: formatHex({ ...colour, l: Math.min(1, Math.max(0, colour.l + away)) }),
    soft: formatHex({ ...colour, l: soft, c: Math.min(colour.c, dark ? 0.05 : 0.03) }),
    onAccent: dark ? '#0e1024' : '#ffffff',
  };
}

/** Derives the shades of a chosen colour, with enough contrast for text and buttons. */
export function accentOf(chosen: string): Accent {
  const colour = toOklch(chosen)!; // the contract accepts hex colours only
  const light = untilReadable(colour, -STEP, PAPER.light);
  const dark = untilReadable({ ...colour, l: Math.max(colour.l, 0.7) }, STEP, PAPER.dark);
  return {
    light: shadesOf(light, { away: -0.1, soft: 0.94, dark: false }),
    dark: shadesOf(dark, { away: 0.07, soft: 0.32, dark: true }),
    isAdjusted: light !== formatHex(colour),
  };
}
