import { createCanvas, loadImage, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Locale } from '@officium/contract/common';
import { dirOf } from '@officium/i18n/locales';
import { outlineOf, type Voice } from '#server/areas/certificates/fonts.view.ts';
import { fitText, type FittedText } from '#server/areas/certificates/text.view.ts';
import { HEIGHT, patternOf, WIDTH } from '../../web/app/ui/cover-pattern.ts';
import { PICTURE } from '../../web/app/ui/share-picture.ts';

export type Card = {
  title: string;
  /** The line above the title: the type of page or its parent. */
  kicker: string | undefined;
  /** The language of the title; decides its font and direction. */
  locale: Locale;
  /** The seed of the pattern. */
  seed: string;
  /** The name of the site. */
  site: string;
  /** Drawn instead of the pattern, if it can be read. */
  cover?: { url: string; read: () => Promise<Buffer> } | undefined;
};

const colour = { paper: '#fbfaf7', ink: '#1b1f3b', teal: '#0b6e6e', marigold: '#ffc53d' };
const margin = 64;
const panel = 400;
const longestTitle = 160;

/** The picture of a page as PNG. Text is drawn from the outlines of our own fonts, independent of the machine's. */
export async function drawCard({ title, kicker, locale, seed, site, cover }: Card): Promise<Buffer> {
  const canvas = createCanvas(PICTURE.width, PICTURE.height);
  const pen = canvas.getContext('2d');
  const isRtl = dirOf(locale) === 'rtl';
  pen.fillStyle = colour.paper;
  pen.fillRect(0, 0, PICTURE.width, PICTURE.height);
  const picture = await cover
    ?.read()
    .then(loadImage)
    .catch(() => undefined);
  if (picture) drawCover(pen, picture, isRtl ? 0 : PICTURE.width - panel);
  else drawPanel(pen, seed, isRtl ? 0 : PICTURE.width - panel);

  const left = isRtl ? panel + margin : margin;
  const column = { left, right: left + PICTURE.width - panel - 2 * margin, isRtl };
  const fit = (text: string, voice: Voice, box: { size: number; shrinkTo: number; height: number }) =>
    fitText(text, { voice, locale, direction: 'auto' }, { ...box, width: column.right - column.left });
  const above = fit(kicker ?? '', 'strong', { size: 28, shrinkTo: 20, height: 56 });
  const words = fit(shortened(title), 'title', { size: 76, shrinkTo: 60, height: 320 });
  drawLines(pen, above, { ...column, y: margin, fill: colour.teal });
  drawLines(pen, words, { ...column, y: margin + above.height + 20, fill: colour.ink });

  const foot = PICTURE.height - margin - 48;
  drawMark(pen, isRtl ? column.right - 48 : column.left, foot);
  const name = fitText(
    site,
    { voice: 'title', locale, direction: 'auto' },
    { width: column.right - column.left - 64, height: 48, size: 34, shrinkTo: 20 },
  );
  const beside = isRtl ? { ...column, right: column.right - 64 } : { ...column, left: column.left + 64 };
  drawLines(pen, name, { ...beside, y: foot + (48 - name.height) / 2, fill: colour.ink });
  return await canvas.encode('png');
}

function shortened(title: string): string {
  const letters = [...title];
  return letters.length > longestTitle
    ? `${letters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`
    : title;
}

/** Fills the panel with the middle of a picture. */
function drawCover(pen: SKRSContext2D, picture: Awaited<ReturnType<typeof loadImage>>, x: number): void {
  const scale = Math.max(panel / picture.width, PICTURE.height / picture.height);
  const [width, height] = [panel / scale, PICTURE.height / scale];
  const [left, top] = [(picture.width - width) / 2, (picture.height - height) / 2];
  pen.drawImage(picture, left, top, width, height, x, 0, panel, PICTURE.height);
}

function drawPanel(pen: SKRSContext2D, seed: string, x: number): void {
  pen.save();
  pen.beginPath();
  pen.rect(x, 0, panel, PICTURE.height);
  pen.clip();
  const scale = PICTURE.height / HEIGHT;
  pen.translate(x + (panel - WIDTH * scale) / 2, 0);
  pen.scale(scale, scale);
  for (const { fill, d } of patternOf(seed)) {
    pen.fillStyle = fill;
    pen.fill(new Path2D(d));
  }
  pen.restore();
}

type Place = { left: number; right: number; y: number; isRtl: boolean; fill: string };

function drawLines(pen: SKRSContext2D, { lines, size, leading }: FittedText, place: Place): void {
  pen.fillStyle = place.fill;
  for (const [index, line] of lines.entries()) {
    const y = place.y + size * (index * leading + leading / 2 + 0.35);
    let x = place.isRtl ? place.right - line.width * size : place.left;
    for (const run of line.runs) {
      pen.fill(new Path2D(outlineOf(run, { x, y, size })));
      x += run.width * size;
    }
  }
}

/** The same mark as in web/app/ui/mark.tsx. */
function drawMark(pen: SKRSContext2D, x: number, y: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(1.5, 1.5);
  const shapes = [
    [colour.teal, 'M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1 -7 7h-18a7 7 0 0 1 -7 -7v-18a7 7 0 0 1 7 -7z'],
    [colour.paper, 'M6 24a10 10 0 0 1 20 0z'],
    [colour.marigold, 'M12.6 9a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0z'],
  ] as const;
  for (const [fill, d] of shapes) {
    pen.fillStyle = fill;
    pen.fill(new Path2D(d));
  }
  pen.restore();
}
