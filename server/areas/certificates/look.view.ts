import type { CERTIFICATE_LAYOUTS } from '@officium/contract/site';
import { fit, draw, colour as colours, type Sheet } from './sheet.view.ts';

/** A PNG, with its size in pixels. */
export type LookPicture = { data: Buffer; width: number; height: number };

/** The look of a PDF: a design with the bytes of its pictures. */
export type CertificateLook = {
  layout: (typeof CERTIFICATE_LAYOUTS)[number];
  colour?: string;
  logo?: LookPicture;
  seal?: LookPicture;
  signatures: { name: string; office: string; picture?: LookPicture }[];
};

/** The height of the part with signatures and seal, and of its parts. */
export const SIGNING = { height: 82, picture: 36, seal: 74 };

export function hasSigning({ look }: { look?: CertificateLook }): boolean {
  return look !== undefined && (look.signatures.length > 0 || look.seal !== undefined);
}

type Box = { x: number; y: number; width: number; height: number };

/** Draws a picture inside a box, at its start and bottom, without enlarging it beyond the box. */
export function drawPicture(sheet: Sheet, { data, width, height }: LookPicture, box: Box, alt: string): void {
  const scale = Math.min(box.width / width, box.height / height);
  const [drawnWidth, drawnHeight] = [width * scale, height * scale];
  const x = sheet.isRtl ? box.x + box.width - drawnWidth : box.x;
  const y = box.y + box.height - drawnHeight;
  const place = [x, y, x + drawnWidth, y + drawnHeight] as [number, number, number, number];
  const figure = sheet.doc.struct('Figure', { alt, bbox: place } as PDFKit.Mixins.StructureElementOptions);
  sheet.root.add(figure);
  figure.add(() => void sheet.doc.image(data, x, y, { width: drawnWidth, height: drawnHeight }));
  figure.end();
}

/** Signatures from the start of the line, and the seal at its end. */
export function drawSigning(
  sheet: Sheet,
  look: CertificateLook,
  { top, sealAlt }: { top: number; sealAlt: string },
): void {
  const { left, right, isRtl } = sheet;
  const sealWidth = look.seal ? SIGNING.seal + 24 : 0;
  const width = (right - left - sealWidth) / 2 - 18;
  for (const [at, { name, office, picture }] of look.signatures.entries()) {
    const start = at * (width + 18);
    const x = isRtl ? right - start - width : left + start;
    const column = { ...sheet, left: x, right: x + width };
    if (picture) drawPicture(column, picture, { x, y: top, width, height: SIGNING.picture }, name || office);
    const y = top + SIGNING.picture + 4;
    sheet.doc.markContent('Artifact', { type: 'Layout' });
    sheet.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.6)
      .stroke(colours.soft);
    sheet.doc.endMarkedContent();
    const who = fit(column, name, 'strong', { width, height: 15, size: 10.5, shrinkTo: 7.5 });
    draw(column, { ...who, tag: 'P', colour: colours.ink }, y + 4);
    const what = fit(column, office, 'text', { width, height: 24, size: 9, shrinkTo: 7 });
    draw(column, { ...what, tag: 'P', colour: colours.soft }, y + 4 + who.height);
  }
  if (!look.seal) return;
  const x = isRtl ? left : right - SIGNING.seal;
  drawPicture(
    { ...sheet, isRtl: !isRtl },
    look.seal,
    { x, y: top, width: SIGNING.seal, height: SIGNING.seal },
    sealAlt,
  );
}
