import { openForDocument } from './fonts.view.ts';
import type { FaceName, Voice } from './fonts.view.ts';
import { fitText } from './text.view.ts';
import type { FitBox, FittedText } from './text.view.ts';

export const colour = {
  ink: '#1b1f3b',
  paper: '#fbfaf7',
  teal: '#0b6e6e',
  marigold: '#ffc53d',
  line: '#dcd8cf',
  soft: '#565a75',
};

export type Doc = PDFKit.PDFDocument;
export type Sheet = {
  doc: Doc;
  root: PDFKit.PDFStructureElement;
  faces: Set<FaceName>;
  locale: string;
  isRtl: boolean;
  left: number;
  right: number;
};
export type Block = FittedText & { tag: 'H1' | 'H2' | 'P' | 'TH' | 'TD'; colour: string };

const RTL = new Set(['ar', 'fa', 'he', 'ur']);

export function isRtlLocale(locale: string): boolean {
  return RTL.has(locale.slice(0, 2));
}

/** The bytes of a document, once it has ended. */
export function collect(doc: Doc): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}

export function fit(sheet: Sheet, text: string, voice: Voice, box: FitBox): FittedText {
  return fitText(text, { voice, locale: sheet.locale, direction: 'auto' }, box);
}

export function draw(sheet: Sheet, block: Block, y: number): void {
  // Right-to-left lines are stored in visual order; assistive technology needs the logical text.
  const element = sheet.doc.struct(block.tag, block.hasRtl ? { actual: block.text } : {});
  sheet.root.add(element);
  element.add(() => drawLines(sheet, block, block.colour, y));
  element.end();
}

export function drawLines(sheet: Sheet, { lines, size, leading }: FittedText, fill: string, y: number): void {
  for (const [i, line] of lines.entries()) {
    const baseline = y + i * size * leading + size * (leading / 2 + 0.35);
    let x = sheet.isRtl ? sheet.right - line.width * size : sheet.left;
    for (const run of line.runs) {
      useFace(sheet, run.face);
      // pdfkit passes `features` unchanged to the face's layout, which reads the shaped run from it.
      const options = { lineBreak: false, baseline: 'alphabetic', features: run as never } as const;
      sheet.doc
        .fontSize(size * run.scale)
        .fillColor(fill)
        .text(run.text, x, baseline, options);
      x += run.width * size;
    }
  }
}

function useFace({ doc, faces }: Sheet, face: FaceName): void {
  // pdfkit accepts an opened font, although its types allow only files and bytes.
  if (!faces.has(face)) doc.registerFont(face, openForDocument(face) as never);
  faces.add(face);
  doc.font(face);
}
