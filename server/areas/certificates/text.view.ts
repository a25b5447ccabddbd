import bidiModule from 'bidi-js';
import type { Bidi } from 'bidi-js';
import { chooseFace, scriptOf, shape } from './fonts.view.ts';
import type { FaceName, Script, ShapedRun, Voice } from './fonts.view.ts';

// The package is CommonJS but its types describe an ES module: the default import is the factory itself.
const bidi = (bidiModule as unknown as () => Bidi)();

export type TextStyle = { voice: Voice; locale: string; direction: 'ltr' | 'rtl' | 'auto' };
/** One line in visual order; `width` is in ems. */
export type TextLine = { runs: ShapedRun[]; width: number };
export type FittedText = {
  text: string;
  lines: TextLine[];
  size: number;
  leading: number;
  height: number;
  hasRtl: boolean;
};
export type FitBox = { width: number; height: number; size: number; shrinkTo: number };

type Cluster = { start: number; end: number; script: Script; face: FaceName; level: number };
type Unit = { start: number; end: number; width: number };

const longestText = 600; // graphemes that still fit the name's box at a size readable with a magnifier
const marksPerBase = 4;
const spaceWidth = 0.25; // ems, as in the bundled faces

/** Normalises a text to one line of limited length, without control, direction or stray joining characters. */
export function cleanText(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\t\n\v\f\r\u2028\u2029]/g, ' ')
    .replace(/[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu, '')
    .replace(/(?<![\p{Script=Arabic}\p{Script=Devanagari}]\p{M}*)[\u200c\u200d]/gu, '')
    .replace(new RegExp(`(\\p{Mn}{${marksPerBase}})\\p{Mn}+`, 'gu'), '$1')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
  const graphemes = Array.from(segmenter('en', 'grapheme').segment(clean), ({ segment }) => segment);
  return graphemes.length > longestText ? `${graphemes.slice(0, longestText - 1).join('')}…` : clean;
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(locale: string, granularity: 'grapheme' | 'word'): Intl.Segmenter {
  const key = `${locale} ${granularity}`;
  const found = segmenters.get(key) ?? new Intl.Segmenter(locale, { granularity });
  segmenters.set(key, found);
  return found;
}

/** Fits a text in the largest possible size: on one line down to `shrinkTo`, then wrapped and balanced in the box. */
export function fitText(raw: string, style: TextStyle, box: FitBox): FittedText {
  const paragraph = prepare(cleanText(raw), style);
  const leading = paragraph.hasArabic ? 1.5 : 1.25;
  const finish = (lines: TextLine[], size: number): FittedText => ({
    text: paragraph.text,
    lines,
    size,
    leading,
    height: lines.length * size * leading,
    hasRtl: paragraph.clusters.some(({ level }) => level % 2 === 1),
  });
  if (!paragraph.text) return finish([], box.size);

  const whole = paragraph.line(0, paragraph.text.length);
  const oneLine = Math.min(box.size, box.width / whole.width);
  if (oneLine >= box.shrinkTo) return finish([whole], oneLine);

  let size = box.shrinkTo;
  let lines = wrap(paragraph, box.width / size);
  while (lines.length * size * leading > box.height) {
    size *= 0.95;
    lines = wrap(paragraph, box.width / size);
  }
  return finish(
    balance(paragraph, box.width / size, lines).map(({ start, end }) => paragraph.line(start, end)),
    size,
  );
}

type Paragraph = {
  text: string;
  clusters: Cluster[];
  units: Unit[];
  hasArabic: boolean;
  line(start: number, end: number): TextLine;
  /** Splits a unit that is too long for any line into graphemes. */
  split(unit: Unit): Unit[];
};

function prepare(text: string, style: TextStyle): Paragraph {
  const direction = style.direction === 'auto' ? undefined : style.direction;
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const clusters = resolveClusters(text, style, levels);
  const language = openTypeLanguage(style.locale);
  const line = (start: number, end: number): TextLine => {
    let last = end;
    while (last > start && text[last - 1] === ' ') last -= 1;
    const runs = visualRuns(text, clusters, start, last, language);
    return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
  };
  const units = breakUnits(text, style.locale).map(([start, end]) => ({ start, end, width: line(start, end).width }));
  const pieces = new Map<Unit, Unit[]>();
  const split = (unit: Unit): Unit[] => {
    const found =
      pieces.get(unit) ??
      clusters
        .filter(({ start, end }) => start >= unit.start && end <= unit.end)
        .map(({ start, end }) => ({ start, end, width: line(start, end).width }));
    pieces.set(unit, found);
    return found;
  };
  return { text, clusters, units, line, split, hasArabic: clusters.some(({ script }) => script === 'arab') };
}

/** Assigns script, face and bidi level to each grapheme. Spaces, digits and punctuation follow their neighbours. */
function resolveClusters(text: string, { voice, locale }: TextStyle, levels: Uint8Array): Cluster[] {
  const graphemes = [...segmenter('en', 'grapheme').segment(text)];
  const han =
    locale.startsWith('ko') || (/\p{Script=Hangul}/u.test(text) && !/[ぁ-ヿ]/.test(text)) ? 'korean' : 'japanese';
  const scripts = graphemes.map(({ segment }) => scriptOf(segment));
  const leading = scripts.find((script) => script !== 'common') ?? 'common';
  const clusters: Cluster[] = [];
  const brackets: Cluster[] = [];
  for (const [i, { segment, index }] of graphemes.entries()) {
    // A closing bracket gets the style of its opening bracket, not of the text inside.
    const previous = (/^\p{Pe}/u.test(segment) && brackets.pop()) || clusters.at(-1);
    const level = levels[index] ?? 0;
    const found = scripts[i] ?? 'common';
    const own = found === 'common' && level % 2 === 1 && scripts.includes('arab') ? 'arab' : found;
    const script = own === 'common' ? (previous?.script ?? leading) : own;
    const prefer = own === 'common' ? previous?.face : undefined;
    const face = chooseFace(segment, { voice, script, han, ...(prefer && { prefer }) });
    const cluster = { start: index, end: index + segment.length, script, face, level };
    clusters.push(cluster);
    if (/^\p{Ps}/u.test(segment)) brackets.push(cluster);
  }
  return clusters;
}

/**
 * Splits [start, end) into runs of one face, script and level, shapes them and puts them in visual order (UAX #9, L2).
 */
function visualRuns(text: string, clusters: Cluster[], start: number, end: number, language?: string): ShapedRun[] {
  const items: Cluster[] = [];
  for (const cluster of clusters) {
    if (cluster.start < start || cluster.end > end) continue;
    const last = items.at(-1);
    const joins = last?.face === cluster.face && last.script === cluster.script && last.level === cluster.level;
    if (last && joins) last.end = cluster.end;
    else items.push({ ...cluster });
  }
  const highest = Math.max(0, ...items.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < items.length; from += 1) {
      let to = from;
      while ((items[to]?.level ?? -1) >= level) to += 1;
      if (to > from) items.splice(from, to - from, ...items.slice(from, to).reverse());
      from = to;
    }
  }
  return items.map((item) => shapeItem(text.slice(item.start, item.end), item, language));
}

function shapeItem(text: string, { face, script, level }: Cluster, language?: string): ShapedRun {
  const isRtl = level % 2 === 1;
  if (!isRtl) return shape(face, text, { script, language, isRtl });
  // Brackets are drawn mirrored, but copying must give the original characters.
  const written = new Map<number, number>();
  const drawn = text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, (character) => {
    const mirrored = bidi.getMirroredCharacter(character) ?? character;
    written.set(mirrored.codePointAt(0) ?? 0, character.codePointAt(0) ?? 0);
    return mirrored;
  });
  const shaped = shape(face, drawn, { script, language, isRtl });
  shaped.run.glyphs = shaped.run.glyphs.map(({ id, advanceWidth, codePoints }) => ({
    id,
    advanceWidth,
    codePoints: codePoints.map((codePoint) => written.get(codePoint) ?? codePoint),
  }));
  return { ...shaped, text };
}

/** Unbreakable pieces: words with the opening punctuation before and the closing punctuation and space after them. */
function breakUnits(text: string, locale: string): [start: number, end: number][] {
  const units: [number, number][] = [];
  let isOpen = false;
  for (const { segment, index, isWordLike } of segmenter(locale, 'word').segment(text)) {
    const last = units.at(-1);
    const opens = /^[\p{Ps}\p{Pi}]$/u.test(segment);
    if (last && (isOpen || (!isWordLike && !opens))) last[1] = index + segment.length;
    else units.push([index, index + segment.length]);
    isOpen = opens;
  }
  return units;
}

function wrap(paragraph: Paragraph, width: number): Unit[] {
  const lines: Unit[] = [];
  const add = (unit: Unit): void => {
    const last = lines.at(-1);
    // Widths of units exclude their trailing space.
    const space = last && paragraph.text[last.end - 1] === ' ' ? spaceWidth : 0;
    if (last && last.width + space + unit.width <= width) {
      last.end = unit.end;
      last.width += space + unit.width;
    } else lines.push({ ...unit });
  };
  for (const unit of paragraph.units) {
    if (unit.width <= width) add(unit);
    else for (const piece of paragraph.split(unit)) add(piece);
  }
  return lines;
}

/** The narrowest layout with the same number of lines, which avoids a last line with a single word. */
function balance(paragraph: Paragraph, width: number, lines: Unit[]): Unit[] {
  let best = lines;
  const fitting = paragraph.units.map((unit) => unit.width).filter((unit) => unit <= width);
  let [narrow, wide] = [Math.max(width / 2, ...fitting), width];
  for (let step = 0; step < 8; step += 1) {
    const middle = (narrow + wide) / 2;
    const attempt = wrap(paragraph, middle);
    if (attempt.length > lines.length) narrow = middle;
    else [wide, best] = [middle, attempt];
  }
  return best;
}

const languages: Record<string, string> = { sr: 'SRB ', pl: 'PLK ', vi: 'VIT ', ja: 'JAN ', ko: 'KOR ', ar: 'ARA ' };

/** The OpenType language system, which selects language-specific letter forms (Serbian, Polish, Vietnamese). */
function openTypeLanguage(locale: string): string | undefined {
  return languages[locale.slice(0, 2)];
}
