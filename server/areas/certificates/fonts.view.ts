import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export type Glyph = { id: number | string; advanceWidth: number; codePoints: number[] };
type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };
export type GlyphRun = { glyphs: Glyph[]; positions: Position[]; advanceWidth: number };
type Outline = { transform(a: number, b: number, c: number, d: number, x: number, y: number): { toSVG(): string } };
type Subset = { glyphs: number[]; includeGlyph(id: number | string): number };
type FontkitFont = {
  unitsPerEm: number;
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string, features?: unknown, script?: string, language?: string, direction?: 'ltr' | 'rtl'): GlyphRun;
  createSubset(): Subset;
  getGlyph(id: number, codePoints?: number[]): Glyph & { path: Outline };
};

// fontkit ships no types; these are the members this file uses, as of 2.0.4.
const fontkit = require('fontkit') as { openSync(path: string): FontkitFont };

/** `scale` evens out the optical size of scripts on one line: Naskh is drawn small on its em, CJK large. */
const faces = {
  serif: { file: 'source-serif-4/400Regular/SourceSerif4_400Regular.ttf', scale: 1 },
  serifStrong: { file: 'source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf', scale: 1 },
  sans: { file: 'public-sans/400Regular/PublicSans_400Regular.ttf', scale: 1 },
  sansStrong: { file: 'public-sans/600SemiBold/PublicSans_600SemiBold.ttf', scale: 1 },
  wide: { file: 'noto-sans/400Regular/NotoSans_400Regular.ttf', scale: 1 },
  wideStrong: { file: 'noto-sans/600SemiBold/NotoSans_600SemiBold.ttf', scale: 1 },
  naskh: { file: 'noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf', scale: 1.12 },
  naskhStrong: { file: 'noto-naskh-arabic/600SemiBold/NotoNaskhArabic_600SemiBold.ttf', scale: 1.12 },
  arabic: { file: 'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf', scale: 1 },
  arabicStrong: { file: 'noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf', scale: 1 },
  japanese: { file: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf', scale: 0.92 },
  japaneseStrong: { file: 'noto-sans-jp/500Medium/NotoSansJP_500Medium.ttf', scale: 0.92 },
  korean: { file: 'noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf', scale: 0.92 },
  koreanStrong: { file: 'noto-sans-kr/500Medium/NotoSansKR_500Medium.ttf', scale: 0.92 },
} as const;

export type FaceName = keyof typeof faces;
export type Voice = 'display' | 'title' | 'text' | 'strong';
export type Script = 'latn' | 'cyrl' | 'grek' | 'arab' | 'hang' | 'hani' | 'kana' | 'other' | 'common';

const voices: Record<Voice, Record<'latin' | 'wide' | 'arabic' | 'japanese' | 'korean', FaceName>> = {
  display: { latin: 'serif', wide: 'wide', arabic: 'naskh', japanese: 'japanese', korean: 'korean' },
  title: {
    latin: 'serifStrong',
    wide: 'wideStrong',
    arabic: 'naskhStrong',
    japanese: 'japaneseStrong',
    korean: 'koreanStrong',
  },
  text: { latin: 'sans', wide: 'wide', arabic: 'arabic', japanese: 'japanese', korean: 'korean' },
  strong: {
    latin: 'sansStrong',
    wide: 'wideStrong',
    arabic: 'arabicStrong',
    japanese: 'japaneseStrong',
    korean: 'koreanStrong',
  },
};

const loaded = new Map<FaceName, FontkitFont>();

function loadFace(name: FaceName): FontkitFont {
  let font = loaded.get(name);
  if (!font) {
    font = withOwnCodePoints(fontkit.openSync(require.resolve(`@expo-google-fonts/${faces[name].file}`)));
    loaded.set(name, font);
  }
  return font;
}

/** fontkit caches a glyph with its first code points. This view returns the code points of the current use. */
function withOwnCodePoints(font: FontkitFont): FontkitFont {
  const view = Object.create(font) as FontkitFont;
  view.getGlyph = (id, codePoints = []) =>
    Object.create(font.getGlyph(id), { codePoints: { value: codePoints, enumerable: true } }) as ReturnType<
      FontkitFont['getGlyph']
    >;
  return view;
}

const scriptPatterns: [Script, RegExp][] = [
  ['latn', /\p{Script=Latin}/u],
  ['cyrl', /\p{Script=Cyrillic}/u],
  ['grek', /\p{Script=Greek}/u],
  ['arab', /\p{Script=Arabic}/u],
  ['hang', /\p{Script=Hangul}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u],
  ['hani', /\p{Script=Han}/u],
  ['common', /^[\p{Script=Common}\p{Script=Inherited}]*$/u],
];

/** The OpenType script of a grapheme. `common` means it takes the script of its neighbours. */
export function scriptOf(grapheme: string): Script {
  return scriptPatterns.find(([, pattern]) => pattern.test(grapheme))?.[0] ?? 'other';
}

/**
 * Chooses the face for a grapheme: the face of its script, else one with all its characters, else one with its base,
 * else the widest, which draws a missing-glyph box. `prefer` is the face of the neighbours.
 */
export function chooseFace(
  grapheme: string,
  choice: { voice: Voice; script: Script; han: 'japanese' | 'korean'; prefer?: FaceName },
): FaceName {
  const { latin, wide, arabic, japanese, korean } = voices[choice.voice];
  const han = choice.han === 'korean' ? [korean, japanese] : [japanese, korean];
  const first = choice.script === 'arab' ? [arabic] : choice.script === 'hang' ? [korean] : [];
  const isHan = choice.script === 'hani' || choice.script === 'kana';
  const order = [
    ...(choice.prefer ? [choice.prefer] : []),
    ...first,
    ...(isHan ? han : []),
    latin,
    wide,
    arabic,
    ...han,
  ];
  const codePoints = [...grapheme].map((character) => character.codePointAt(0) ?? 0);
  const drawn = codePoints.filter(
    (codePoint) => !/\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(codePoint)),
  );
  return (
    order.find((name) => drawn.every((codePoint) => loadFace(name).hasGlyphForCodePoint(codePoint))) ??
    order.find((name) => loadFace(name).hasGlyphForCodePoint(drawn[0] ?? 0)) ??
    wide
  );
}

export function hasGlyph(face: FaceName, codePoint: number): boolean {
  return loadFace(face).hasGlyphForCodePoint(codePoint);
}

export type ShapedRun = { face: FaceName; text: string; run: GlyphRun; width: number; scale: number };

/** Shapes a text of one script and direction. Glyphs are in visual order, `width` in ems of the line. */
export function shape(
  face: FaceName,
  text: string,
  options: { script: Script; language: string | undefined; isRtl: boolean },
): ShapedRun {
  const font = loadFace(face);
  const script = options.script === 'common' || options.script === 'other' ? undefined : options.script;
  const run = font.layout(text, undefined, script, options.language, options.isRtl ? 'rtl' : 'ltr');
  const { scale } = faces[face];
  run.glyphs = attachMarks(run.glyphs, options.isRtl);
  return { face, text, run, width: (run.advanceWidth / font.unitsPerEm) * scale, scale };
}

/** A shaped run as an SVG path: `size` pixels per em, baseline starting at `x`, `y`. */
export function outlineOf({ face, run, scale }: ShapedRun, at: { x: number; y: number; size: number }): string {
  const font = loadFace(face);
  const unit = (at.size * scale) / font.unitsPerEm;
  let pen = at.x;
  return run.glyphs
    .map(({ id }, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = run.positions[index] ?? {};
      const [x, y] = [pen + xOffset * unit, at.y - yOffset * unit];
      pen += xAdvance * unit;
      return font.getGlyph(Number(id)).path.transform(unit, 0, 0, -unit, x, y).toSVG();
    })
    .join('');
}

/** Moves the code points of marks to their base glyph, because PDF readers treat a raised mark as a separate line. */
function attachMarks(glyphs: Glyph[], isRtl: boolean): Glyph[] {
  const logical = glyphs.map(({ id, advanceWidth, codePoints }) => ({ id, advanceWidth, codePoints }));
  if (isRtl) logical.reverse();
  let base: Glyph | undefined;
  for (const glyph of logical) {
    const isMark = glyph.codePoints.length > 0 && /^\p{M}+$/u.test(String.fromCodePoint(...glyph.codePoints));
    if (base && isMark) {
      base.codePoints = [...base.codePoints, ...glyph.codePoints];
      glyph.codePoints = [];
    } else if (glyph.codePoints.length > 0) base = glyph;
  }
  return isRtl ? logical.reverse() : logical;
}

/**
 * A view of a face for `doc.registerFont` of one document. pdfkit stores one Unicode value per glyph, but Noto draws
 * several Arabic letters with one shared skeleton glyph, so copied text would be wrong. Here each pair of glyph and
 * code points gets its own subset entry. The shaped run is passed in pdfkit's `features`.
 */
export function openForDocument(face: FaceName): FontkitFont {
  const font = loadFace(face);
  const view = Object.create(font) as FontkitFont;
  view.layout = (_text, features) => {
    const { run } = features as ShapedRun; // only drawLines in pdf.view.ts calls this
    // pdfkit scales positions in place.
    return {
      advanceWidth: run.advanceWidth,
      positions: run.positions.map((position) => ({ ...position })),
      glyphs: run.glyphs.map(({ id, advanceWidth, codePoints }) => ({
        id: `${id}/${codePoints.join('.')}`,
        advanceWidth,
        codePoints,
      })),
    };
  };
  view.createSubset = () => {
    const subset = font.createSubset();
    const includeComponent = subset.includeGlyph.bind(subset);
    const entries = new Map<string, number>();
    subset.includeGlyph = (id) => {
      if (typeof id === 'number') return includeComponent(id);
      const entry = entries.get(id) ?? subset.glyphs.push(Number.parseInt(id, 10)) - 1;
      entries.set(id, entry);
      return entry;
    };
    return subset;
  };
  return view;
}
