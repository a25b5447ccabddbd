import { create as createQrCode } from 'qrcode';
import { colour, type Sheet } from './sheet.view.ts';

/** Draws a square QR code with an address. */
export function drawQrCode(sheet: Sheet, url: string, at: { x: number; y: number; size: number; alt: string }): void {
  const { modules } = createQrCode(url, { errorCorrectionLevel: 'M' });
  const cell = at.size / modules.size;
  const figure = sheet.doc.struct('Figure', {
    alt: at.alt,
    bbox: [at.x, at.y, at.x + at.size, at.y + at.size],
  } as PDFKit.Mixins.StructureElementOptions);
  sheet.root.add(figure);
  figure.add(() => {
    for (let row = 0; row < modules.size; row += 1) {
      for (let from = 0; from < modules.size; from += 1) {
        let to = from;
        while (to < modules.size && modules.get(row, to)) to += 1;
        if (to > from) sheet.doc.rect(at.x + from * cell, at.y + row * cell, (to - from) * cell, cell);
        from = to;
      }
    }
    sheet.doc.fill(colour.ink);
  });
  figure.end();
}
