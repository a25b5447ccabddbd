import { dateLocaleOf } from '@officium/i18n/locales';
import PDFDocument from 'pdfkit';
import type { Voice } from './fonts.view.ts';
import { type CertificateLook, drawPicture, drawSigning, hasSigning, SIGNING } from './look.view.ts';
import { drawPattern } from './pattern.view.ts';
import { drawQrCode } from './qr-code.view.ts';
import { collect, colour, draw, drawLines, fit, isRtlLocale } from './sheet.view.ts';
import type { Block, Doc, Sheet } from './sheet.view.ts';
import { cleanText, fitText } from './text.view.ts';
import type { FitBox, FittedText } from './text.view.ts';

/** Texts of the page in the holder's language, with plurals resolved ("12 lessons"). */
export type CertificateLabels = {
  title: string;
  certifies: string;
  completed: string;
  lessons: string;
  issuedOn: string;
  validUntil: string;
  number: string;
  verifyAt: string;
  seal: string;
};

export type CertificateDocument = {
  id: string;
  holder: string;
  courseTitle: string;
  journeyTitle: string;
  /** When 0, the line about lessons is omitted. */
  lessons: number;
  /** Minutes of learning, printed as hours and minutes in the locale's format. */
  hours?: number;
  issuedAt: Date;
  /** The last day on which it is valid; null or absent: without end. */
  expiresAt?: Date | null;
  locale: string;
  verifyUrl: string;
  issuer: string;
  /** The line about passed assessments, if any. */
  passed?: string;
  /** The line that names the certificate it renews, if any. */
  follows?: string;
  labels: CertificateLabels;
  /** Absent: the look of the product. */
  look?: CertificateLook;
};

const page = { width: 841.89, height: 595.28, margin: 56, band: 148.82 };
const middle = { top: 112, bottom: 420 };
const qrSize = 82;

type StatementBlock = Block & { gap: number; isRuled?: boolean };

/** Renders one tagged A4 page with embedded fonts. The same input gives the same bytes. */
export async function renderCertificatePdf(certificate: CertificateDocument): Promise<Buffer> {
  const doc = createDocument(certificate);
  const finished = collect(doc);
  const isRtl = isRtlLocale(certificate.locale);
  const root = doc.struct('Document', { title: certificate.labels.title });
  doc.addStructure(root);
  const band = (certificate.look?.layout ?? 'pattern') === 'pattern' ? page.band : 0;
  const left = isRtl ? page.margin : band + page.margin;
  const right = isRtl ? page.width - band - page.margin : page.width - page.margin;
  const sheet: Sheet = { doc, root, faces: new Set(), locale: certificate.locale, isRtl, left, right };
  drawGround(sheet, certificate);
  drawHeader(sheet, certificate);
  drawStatement(sheet, certificate);
  if (certificate.look && hasSigning(certificate)) {
    const at = { top: middle.bottom - SIGNING.height, sealAlt: certificate.labels.seal };
    drawSigning(sheet, certificate.look, at);
  }
  drawFooter(sheet, certificate);
  root.end();
  doc.end();
  return finished;
}

function createDocument(certificate: CertificateDocument): Doc {
  const { labels, holder, courseTitle, journeyTitle, issuer, issuedAt, locale, id } = certificate;
  return new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: locale,
    // pdfkit derives the file id from these fields, so a fixed date makes the whole file repeatable.
    info: {
      Title: cleanText(`${labels.title} · ${holder}`),
      Author: cleanText(issuer),
      Subject: cleanText(`${courseTitle} · ${journeyTitle}`),
      Keywords: cleanText(id),
      Creator: 'Officium',
      Producer: 'Officium',
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
}

/** The colour of the title, the link and the ground. */
const accentOf = (look: CertificateLook | undefined) => look?.colour ?? colour.teal;

function drawGround({ doc, isRtl }: Sheet, { courseTitle, look }: CertificateDocument): void {
  doc.markContent('Artifact', { type: 'Page' });
  doc.rect(0, 0, page.width, page.height).fill(colour.paper);
  const accent = accentOf(look);
  const { width, height } = page;
  if (look?.layout === 'frame') {
    doc
      .rect(22, 22, width - 44, height - 44)
      .lineWidth(2.5)
      .stroke(accent);
    doc
      .rect(28, 28, width - 56, height - 56)
      .lineWidth(0.8)
      .stroke(accent);
  } else if (look?.layout === 'bar') {
    doc.rect(0, 0, width, 18).fill(accent);
    doc.rect(0, 18, width, 3).fill(colour.marigold);
  } else {
    const x = isRtl ? width - page.band : 0;
    drawPattern(doc, { x, y: 0, width: page.band, height }, { seed: courseTitle, accent });
  }
  doc.endMarkedContent();
}

function drawHeader(sheet: Sheet, { issuer, look }: CertificateDocument): void {
  if (look?.logo) {
    const width = 220;
    const x = sheet.isRtl ? sheet.right - width : sheet.left;
    drawPicture(sheet, look.logo, { x, y: 44, width, height: 40 }, issuer);
    return;
  }
  const text = fit(sheet, issuer, 'title', { width: sheet.right - sheet.left, height: 20, size: 15, shrinkTo: 9 });
  draw(sheet, { ...text, tag: 'P', colour: colour.ink }, 52);
}

function drawStatement(sheet: Sheet, certificate: CertificateDocument): void {
  const { labels } = certificate;
  const isSigned = hasSigning(certificate);
  const width = sheet.right - sheet.left;
  type Look = Omit<FitBox, 'width'> & Pick<StatementBlock, 'colour' | 'gap' | 'isRuled'>;
  const block = (tag: Block['tag'], text: string, voice: Voice, look: Look): StatementBlock => {
    const { gap, isRuled = false, colour: fill, ...box } = look;
    return { ...fit(sheet, text, voice, { width, ...box }), tag, colour: fill, gap, isRuled };
  };
  const small = { size: 12.5, shrinkTo: 10, height: 32, colour: colour.soft };
  const extent = [certificate.lessons > 0 ? labels.lessons : '', formatMinutes(certificate)]
    .filter(Boolean)
    .join(' · ');
  const blocks = [
    block('H1', labels.title, 'display', {
      size: 25,
      shrinkTo: 18,
      height: 50,
      colour: accentOf(certificate.look),
      gap: 0,
    }),
    block('P', labels.certifies, 'text', { ...small, gap: 26 }),
    block('P', certificate.holder, 'display', {
      size: isSigned ? 40 : 48,
      shrinkTo: 32,
      height: 88,
      colour: colour.ink,
      gap: 6,
    }),
    block('P', labels.completed, 'text', { ...small, gap: 34, isRuled: true }),
    block('P', certificate.courseTitle, 'title', { size: 23, shrinkTo: 17, height: 50, colour: colour.ink, gap: 5 }),
    block('P', certificate.journeyTitle, 'text', { ...small, size: 13.5, colour: colour.ink, gap: 5 }),
    block('P', extent, 'text', { ...small, size: 11.5, height: 28, gap: 5 }),
    block('P', certificate.passed ?? '', 'text', { ...small, size: 11.5, height: 42, gap: 5 }),
    block('P', certificate.follows ?? '', 'text', { ...small, size: 11.5, height: 28, gap: 5 }),
  ].filter(({ lines }) => lines.length > 0);

  const top = isSigned ? middle.top - 10 : middle.top;
  const bottom = isSigned ? middle.bottom - SIGNING.height - 4 : middle.bottom;
  const available = bottom - top;
  const heights = blocks.reduce((sum, { height }) => sum + height, 0);
  const gaps = blocks.reduce((sum, { gap }) => sum + gap, 0);
  const squeeze = Math.min(1, (available - heights) / gaps);
  let y = top + Math.max(0, available - heights - gaps) * 0.4;
  for (const item of blocks) {
    y += item.gap * squeeze;
    if (item.isRuled && squeeze > 0.4) drawRule(sheet, y - (item.gap * squeeze) / 2);
    draw(sheet, item, y);
    y += item.height;
  }
}

function drawRule({ doc, isRtl, left, right }: Sheet, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.rect(isRtl ? right - 44 : left, y - 1.25, 44, 2.5).fill(colour.marigold);
  doc.endMarkedContent();
}

function drawFooter(sheet: Sheet, certificate: CertificateDocument): void {
  const { doc, isRtl, left, right } = sheet;
  const { labels, verifyUrl } = certificate;
  const bottom = page.height - page.margin;
  const top = bottom - qrSize;
  const inner = { ...sheet, left: isRtl ? left + qrSize + 24 : left, right: isRtl ? right : right - qrSize - 24 };
  drawFacts(inner, certificate, top);
  const label = fit(inner, labels.verifyAt, 'text', {
    width: inner.right - inner.left,
    height: 12,
    size: 9,
    shrinkTo: 7,
  });
  draw(inner, { ...label, tag: 'P', colour: colour.soft }, top + 50);
  const link = { contents: `${labels.verifyAt} ${verifyUrl}`, fill: accentOf(certificate.look) };
  drawLink(inner, verifyUrl, top + 50 + label.height, link);
  drawQrCode(sheet, verifyUrl, {
    size: qrSize,
    x: isRtl ? left : right - qrSize,
    y: top,
    alt: `${labels.verifyAt} ${verifyUrl}`,
  });
  doc.markContent('Artifact', { type: 'Layout' });
  doc
    .moveTo(left, top - 20)
    .lineTo(right, top - 20)
    .lineWidth(0.6)
    .stroke(colour.line);
  doc.endMarkedContent();
}

/** The dates and the number side by side, in the order of reading. */
function drawFacts(sheet: Sheet, certificate: CertificateDocument, top: number): void {
  const { labels, issuedAt, expiresAt, locale, id } = certificate;
  const facts = [
    { label: labels.issuedOn, value: formatDate(issuedAt, locale), share: expiresAt ? 0.27 : 0.5 },
    ...(expiresAt ? [{ label: labels.validUntil, value: formatDate(expiresAt, locale), share: 0.27 }] : []),
    { label: labels.number, value: id, share: expiresAt ? 0.46 : 0.5 },
  ];
  const whole = sheet.right - sheet.left;
  let start = 0;
  for (const { label, value, share } of facts) {
    const end = start + whole * share;
    const gap = end < whole ? 12 : 0;
    const place = sheet.isRtl
      ? { left: sheet.right - end + gap, right: sheet.right - start }
      : { left: sheet.left + start, right: sheet.left + end - gap };
    drawFact({ ...sheet, ...place }, label, value, top);
    start = end;
  }
}

function drawFact(sheet: Sheet, label: string, value: string, y: number): void {
  const width = sheet.right - sheet.left;
  const name = fit(sheet, label, 'text', { width, height: 12, size: 9, shrinkTo: 7 });
  const fact = fit(sheet, value, 'strong', { width, height: 26, size: 11, shrinkTo: 8 });
  // Aligns the baselines of neighbouring facts in different scripts.
  const at = ({ size, leading }: FittedText, top: number): number => top - (size * (leading - 1.25)) / 2;
  draw(sheet, { ...name, tag: 'P', colour: colour.soft }, at(name, y));
  draw(sheet, { ...fact, tag: 'P', colour: colour.ink }, at(fact, y + 12.5));
}

function drawLink(sheet: Sheet, url: string, y: number, { contents, fill }: { contents: string; fill: string }): void {
  const width = sheet.right - sheet.left;
  const text = fitText(
    url,
    { voice: 'strong', locale: 'en', direction: 'ltr' },
    { width, height: 22, size: 9.5, shrinkTo: 7.5 },
  );
  const longest = Math.max(0, ...text.lines.map((line) => line.width * text.size));
  const x = sheet.isRtl ? sheet.right - longest : sheet.left;
  const link = sheet.doc.struct('Link');
  sheet.root.add(link);
  link.add(() => drawLines(sheet, text, fill, y));
  // pdfkit adds the annotation to the given structure element; its types lack this option.
  const options = { Contents: new String(contents), structParent: link } as object;
  sheet.doc.link(x, y, longest, text.height, url, options);
  link.end();
}

function formatDate(at: Date, locale: string): string {
  return new Intl.DateTimeFormat(dateLocaleOf(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

function formatMinutes({ hours: minutes = 0, locale }: CertificateDocument): string {
  const whole = Math.max(0, Math.round(minutes));
  const format = (value: number, unit: 'hour' | 'minute'): string =>
    value > 0 ? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value) : '';
  const parts = [format(Math.floor(whole / 60), 'hour'), format(whole % 60, 'minute')].filter(Boolean);
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(parts);
}
