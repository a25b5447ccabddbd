// Used twice: by the page (cover.tsx) and by the picture that other sites show (server/feeds/picture-drawing.ts).

/** [background, three colours of the pattern] */
const PALETTES = [
  ['#0b6e6e', '#0a5858', '#8fc7bf', '#ffc53d'],
  ['#1b1f3b', '#2d3463', '#0b6e6e', '#ffc53d'],
  ['#e9dfc8', '#d3c19a', '#0b6e6e', '#b5532f'],
  ['#cfe5e1', '#9fcbc4', '#0b6e6e', '#1b1f3b'],
  ['#b5532f', '#943f20', '#f0c9a8', '#1b1f3b'],
  ['#dcdff0', '#b4bbe0', '#3d4a94', '#ffc53d'],
] as const;
export const WIDTH = 320;
export const HEIGHT = 180;

export type Shape = { fill: string; d: string };

/** The pattern of a slug, back to front, as paths on a background of WIDTH × HEIGHT. Deterministic. */
export function patternOf(slug: string): Shape[] {
  const random = randomOf(slug);
  const [ground, ...inks] = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0];
  const figure = [arcs, tiles, waves][Math.floor(random() * 3)] ?? arcs;
  return [
    { fill: ground, d: `M0 0h${WIDTH}v${HEIGHT}H0z` },
    ...figure(random).map((d, index) => ({ fill: inks[index % inks.length] ?? ground, d })),
  ];
}

type Random = () => number;

/** Half rings on a grid, like a colonnade. */
function arcs(random: Random): string[] {
  const paths = ['', '', ''];
  const size = 40 + Math.floor(random() * 2) * 20;
  for (let row = 0; row * size < HEIGHT; row++) {
    for (let column = 0; column * size * 2 < WIDTH; column++) {
      const layer = Math.floor(random() * 5);
      if (layer > 3) continue;
      const x = column * size * 2;
      const y = (row + 1) * size;
      const ring = random() < 0.6 ? `m${size * 0.45} 0a${size * 0.55} ${size * 0.55} 0 0 1 ${size * 1.1} 0z` : '';
      paths[layer % 3] += `M${x} ${y}a${size} ${size} 0 0 1 ${size * 2} 0z`;
      if (ring) paths[(layer + 1) % 3] += `M${x} ${y}${ring}`;
    }
  }
  return paths;
}

/** Quarter discs, each turned one of four ways. */
function tiles(random: Random): string[] {
  const paths = ['', '', ''];
  const size = 60 - Math.floor(random() * 2) * 15;
  for (let x = 0; x < WIDTH; x += size) {
    for (let y = 0; y < HEIGHT; y += size) {
      const layer = Math.floor(random() * 4);
      if (layer === 3) continue;
      const s = size;
      const corners = [
        `M${x} ${y}h${s}a${s} ${s} 0 0 1 ${-s} ${s}z`,
        `M${x + s} ${y}v${s}a${s} ${s} 0 0 1 ${-s} ${-s}z`,
        `M${x + s} ${y + s}h${-s}a${s} ${s} 0 0 1 ${s} ${-s}z`,
        `M${x} ${y + s}v${-s}a${s} ${s} 0 0 1 ${s} ${s}z`,
      ];
      paths[layer] += corners[Math.floor(random() * 4)] ?? '';
    }
  }
  return paths;
}

/** Overlapping bands of hills with a disc above. */
function waves(random: Random): string[] {
  const radius = round(18 + random() * 16);
  const cx = round(50 + random() * 220);
  const cy = round(36 + random() * 24);
  const disc = `M${cx - radius} ${cy}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  const hill = (top: number, swing: number) => {
    const shift = round(random() * 60);
    let path = `M${-80 - shift} ${round(top)}`;
    for (let x = 0; x < WIDTH + 160; x += 80) path += `q20 ${round(-swing)} 40 0t40 0`;
    return `${path}V${HEIGHT}H${-80 - shift}z`;
  };
  return [
    hill(80 + random() * 20, 14 + random() * 14),
    hill(115 + random() * 15, 18),
    disc,
    hill(150 + random() * 10, 12),
  ];
}

function round(value: number): number {
  return Math.round(value);
}

/** mulberry32 seeded with FNV-1a of the text: small, and the same in every browser. */
function randomOf(text: string): Random {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
