import type { Locale } from '@officium/contract/common';
import type { Transcript } from '@officium/contract/transcripts';
import { createTranslator } from '@officium/i18n/catalogue';
import PDFDocument from 'pdfkit';
import type { Voice } from './fonts.view.ts';
import { type Block, collect, colour, type Doc, draw, drawLines, fit, isRtlLocale, type Sheet } from './sheet.view.ts';
import { cleanText } from './text.view.ts';

const page = { width: 595.28, height: 841.89, margin: 48 };
const ends = { top: page.margin, bottom: page.height - page.margin - 24 };
const gap = 10;
/** A text in a table wraps at this size; the box never limits it. */
const cell = { size: 9, shrinkTo: 9, height: 400 };

type Texts = ReturnType<typeof createTranslator>;
type Words = { t: Texts['t']; day(value: string): string; number(value: number): string };
/** A sheet with the vertical position of the next block. */
type Flow = Sheet & { y: number };
type Table = { heads: string[]; /** Shares of the width. */ widths: number[]; rows: string[][] };

/** Renders a transcript as tagged A4 pages with embedded fonts. The same input gives the same bytes. */
export async function renderTranscriptPdf(transcript: Transcript, locale: Locale): Promise<Buffer> {
  const words = wordsOf(locale);
  const title = words.t('transcript.of', { name: transcript.person.name });
  const doc = createDocument(transcript, { title, locale });
  const finished = collect(doc);
  const root = doc.struct('Document', { title: cleanText(title) });
  doc.addStructure(root);
  const isRtl = isRtlLocale(locale);
  const [left, right] = [page.margin, page.width - page.margin];
  const flow: Flow = { doc, root, faces: new Set(), locale, isRtl, left, right, y: ends.top };
  drawText(flow, transcript.issuer, { voice: 'title', tag: 'P', size: 12, colour: colour.soft, after: 14 });
  drawText(flow, words.t('transcript.title'), { voice: 'title', tag: 'H1', size: 20, colour: colour.teal, after: 2 });
  drawText(flow, transcript.person.name, { voice: 'display', tag: 'P', size: 22, colour: colour.ink, after: 4 });
  const date = words.t('transcript.as_of', { date: words.day(transcript.asOf) });
  drawText(flow, date, { voice: 'text', tag: 'P', size: 9.5, colour: colour.soft, after: 0 });
  drawPart(flow, words.t('transcript.years'), sumsOf(transcript, words));
  if (transcript.completed.some(({ certificate }) => certificate?.status === 'revoked'))
    drawText(flow, words.t('transcript.revoked_text'), {
      voice: 'text',
      tag: 'P',
      size: 9,
      colour: colour.soft,
      after: 0,
    });
  drawPart(flow, words.t('learning.completed'), completedOf(transcript, words));
  if (transcript.current.length > 0) drawPart(flow, words.t('transcript.open'), currentOf(transcript, words));
  drawPageNumbers(flow, words);
  root.end();
  doc.end();
  return await finished;
}

function wordsOf(locale: Locale): Words {
  const { t, formatDate, formatNumber } = createTranslator(locale);
  return { t, day: (value) => formatDate(value, { dateStyle: 'medium' }), number: (value) => formatNumber(value) };
}

function createDocument({ issuer, asOf }: Transcript, { title, locale }: { title: string; locale: string }): Doc {
  const date = new Date(asOf);
  return new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    bufferPages: true, // the number of pages is known at the end
    lang: locale,
    info: {
      Title: cleanText(title),
      Author: cleanText(issuer),
      Creator: 'Officium',
      Producer: 'Officium',
      CreationDate: date,
      ModDate: date,
    },
  });
}

function sumsOf({ years, sums: total }: Transcript, { t, number }: Words): Table {
  const line = (name: string, sums: Transcript['sums']) => [
    name,
    number(sums.courses),
    number(sums.microcourses),
    number(sums.minutes),
  ];
  return {
    heads: [t('transcript.year'), t('common.courses'), t('learning.microcourses'), t('transcript.minutes')],
    widths: [0.25, 0.25, 0.25, 0.25],
    rows: [...years.map((sums) => line(String(sums.year), sums)), line(t('transcript.total'), total)],
  };
}

function completedOf({ completed }: Transcript, { t, day, number }: Words): Table {
  if (completed.length === 0) return { heads: [], widths: [1], rows: [[t('transcript.none')]] };
  return {
    heads: [t('transcript.course'), t('transcript.completed_on'), t('transcript.minutes'), t('transcript.certificate')],
    widths: [0.36, 0.15, 0.1, 0.39],
    rows: completed.map(({ title, journeyTitle, completedAt, minutes, certificate }) => [
      titleOf(title, journeyTitle ?? t('learning.microcourse')),
      day(completedAt),
      number(minutes),
      certificate ? `${stateOf(certificate, { t, day })} · ${certificate.number}` : '–',
    ]),
  };
}

function stateOf(
  { status, expiresAt }: NonNullable<Transcript['completed'][number]['certificate']>,
  { t, day }: Pick<Words, 't' | 'day'>,
): string {
  if (status === 'revoked' || expiresAt === null) return t(`transcript.${status === 'revoked' ? status : 'valid'}`);
  return t(status === 'expired' ? 'learning.expired_on' : 'learning.valid_until', { date: day(expiresAt) });
}

function currentOf({ current }: Transcript, { t, day }: Words): Table {
  return {
    heads: [t('transcript.course'), t('transcript.progress'), t('transcript.due'), t('transcript.status')],
    widths: [0.42, 0.18, 0.18, 0.22],
    rows: current.map(({ courseTitle, journeyTitle, completedLessons, mandatoryLessons, dueOn, status }) => [
      titleOf(courseTitle, journeyTitle),
      t('learning.progress_caption', { completed: completedLessons, count: mandatoryLessons }),
      dueOn === null ? '–' : day(dueOn),
      t(
        status === 'enrolled' ? 'transcript.current' : status === 'expired' ? 'transcript.ended' : 'transcript.pending',
      ),
    ]),
  };
}

const titleOf = (title: string, part: string) => (title === part ? title : `${title} · ${part}`);

type Look = { voice: Voice; tag: Block['tag']; size: number; colour: string; after: number };

function drawText(flow: Flow, text: string, { voice, tag, size, colour: fill, after }: Look): void {
  const box = { width: flow.right - flow.left, height: 200, size, shrinkTo: size };
  const block = { ...fit(flow, text, voice, box), tag, colour: fill };
  if (flow.y + block.height > ends.bottom) startPage(flow);
  draw(flow, block, flow.y);
  flow.y += block.height + after;
}

function drawPart(flow: Flow, heading: string, table: Table): void {
  flow.y += 22;
  if (flow.y + 70 > ends.bottom) startPage(flow);
  drawText(flow, heading, { voice: 'title', tag: 'H2', size: 14, colour: colour.ink, after: 6 });
  const element = flow.doc.struct('Table');
  flow.root.add(element);
  const inTable = { ...flow, root: element };
  if (table.heads.length > 0) drawRow(inTable, table.heads, { table, tag: 'TH' });
  for (const row of table.rows) drawRow(inTable, row, { table, tag: 'TD' });
  flow.y = inTable.y;
  element.end();
}

/** Draws a row; where it does not fit, on a new page below the heads, which assistive technology has heard. */
function drawRow(flow: Flow, texts: string[], { table, tag }: { table: Table; tag: 'TH' | 'TD' }): void {
  const cells = cellsOf(flow, texts, { table, tag });
  const height = Math.max(...cells.map(({ block }) => block.height)) + 8;
  if (flow.y + height > ends.bottom) {
    startPage(flow);
    if (tag === 'TD' && table.heads.length > 0) repeatHeads(flow, table);
  }
  const row = flow.doc.struct('TR');
  flow.root.add(row);
  for (const { block, left, right } of cells) draw({ ...flow, root: row, left, right }, block, flow.y + 4);
  row.end();
  flow.y += height;
  drawLine(flow, tag === 'TH' ? colour.soft : colour.line);
}

function repeatHeads(flow: Flow, table: Table): void {
  const cells = cellsOf(flow, table.heads, { table, tag: 'TH' });
  flow.doc.markContent('Artifact', { type: 'Pagination' });
  for (const { block, left, right } of cells) drawLines({ ...flow, left, right }, block, block.colour, flow.y + 4);
  flow.doc.endMarkedContent();
  flow.y += Math.max(...cells.map(({ block }) => block.height)) + 8;
  drawLine(flow, colour.soft);
}

type Cell = { block: Block; left: number; right: number };

function cellsOf(flow: Flow, texts: string[], { table, tag }: { table: Table; tag: 'TH' | 'TD' }): Cell[] {
  const whole = flow.right - flow.left;
  let start = 0;
  return texts.map((text, nth) => {
    const width = whole * (table.widths[nth] ?? 0);
    const left = flow.isRtl ? flow.right - start - width + gap : flow.left + start;
    start += width;
    const style =
      tag === 'TH' ? ({ voice: 'strong', fill: colour.soft } as const) : ({ voice: 'text', fill: colour.ink } as const);
    const block = { ...fit(flow, text, style.voice, { ...cell, width: width - gap }), tag, colour: style.fill };
    return { block, left, right: left + width - gap };
  });
}

function drawLine({ doc, left, right, y }: Flow, stroke: string): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.moveTo(left, y).lineTo(right, y).lineWidth(0.6).stroke(stroke);
  doc.endMarkedContent();
}

function startPage(flow: Flow): void {
  flow.doc.addPage();
  flow.y = ends.top;
}

function drawPageNumbers(flow: Flow, { t }: Words): void {
  const { count } = flow.doc.bufferedPageRange();
  for (let nth = 0; nth < count; nth += 1) {
    flow.doc.switchToPage(nth);
    const text = t('transcript.page', { page: nth + 1, pages: count });
    const block = fit(flow, text, 'text', { width: flow.right - flow.left, height: 14, size: 8.5, shrinkTo: 8.5 });
    flow.doc.markContent('Artifact', { type: 'Pagination' });
    drawLines(flow, block, colour.soft, ends.bottom + 12);
    flow.doc.endMarkedContent();
  }
}
