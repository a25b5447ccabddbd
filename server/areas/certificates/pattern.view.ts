type Canvas = PDFKit.PDFDocument;
type Band = { x: number; y: number; width: number; height: number };

const ink = '#1b1f3b';
const mist = '#d5e3df';
const sand = '#ebe4d3';
const marigold = '#ffc53d';
const seam = 0.4;

/** Draws a band of tiles (arcs, leaves, rings), deterministic for a seed. */
export function drawPattern(doc: Canvas, band: Band, { seed, accent: main }: { seed: string; accent: string }): void {
  const random = randomFrom(seed);
  const columns = 2;
  const tile = band.width / columns;
  const rows = Math.round(band.height / tile);
  const height = band.height / rows;
  const accent = Math.floor(random() * (rows - 2) * columns) + columns;
  doc.save();
  doc.rect(band.x, band.y, band.width, band.height).clip();
  let previous = -1;
  for (let i = 0; i < rows * columns; i += 1) {
    const x = band.x + (i % columns) * tile;
    const y = band.y + Math.floor(i / columns) * height;
    let kind = Math.floor(random() * motifs.length);
    if (kind === previous) kind = (kind + 1) % motifs.length;
    previous = kind;
    const [ground, figure] = i === accent ? [ink, marigold] : pick(random, pairsOf(main));
    doc.save();
    // Tiles overlap slightly, otherwise PDF viewers show seams.
    doc.rect(x, y, tile + seam, height + seam).fill(ground);
    doc.rect(x, y, tile, height).clip();
    doc.translate(x + tile / 2, y + height / 2).rotate(90 * Math.floor(random() * 4));
    doc.scale(tile / 2, height / 2);
    (motifs[kind] ?? quarter)(doc, figure, ground);
    doc.restore();
  }
  doc.restore();
}

/** Grounds with their figures. */
const pairsOf = (teal: string): [ground: string, figure: string][] => [
  [ink, teal],
  [ink, mist],
  [teal, ink],
  [teal, mist],
  [mist, teal],
  [mist, ink],
  [sand, ink],
  [sand, teal],
];

// Each motif is drawn in a square from -1 to 1.
type Motif = (doc: Canvas, figure: string, ground: string) => void;
const quarter: Motif = (doc, figure) => void doc.circle(-1, -1, 2).fill(figure);
const rainbow: Motif = (doc, figure, ground) => {
  for (const [i, radius] of [2, 1.5, 1, 0.5].entries()) doc.circle(-1, -1, radius).fill(i % 2 ? ground : figure);
};
const half: Motif = (doc, figure) => void doc.circle(-1, 0, 1).fill(figure);
const leaf: Motif = (doc, figure) => void doc.path('M-1 -1 A2 2 0 0 1 1 1 A2 2 0 0 1 -1 -1 Z').fill(figure);
const ring: Motif = (doc, figure, ground) => {
  doc.circle(0, 0, 1).fill(figure);
  doc.circle(0, 0, 0.5).fill(ground);
};
const arches: Motif = (doc, figure, ground) => {
  doc.circle(0, 1, 1).fill(figure);
  doc.circle(0, 1, 0.5).fill(ground);
};
const motifs: Motif[] = [quarter, rainbow, half, leaf, ring, arches];

function pick<T>(random: () => number, choices: readonly [T, ...T[]] | T[]): T {
  return choices[Math.floor(random() * choices.length)] as T; // random() < 1, and no caller passes an empty list
}

/** Small deterministic generator (FNV-1a into mulberry32). For pictures only, never for secrets. */
function randomFrom(seed: string): () => number {
  let state = 2166136261;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
