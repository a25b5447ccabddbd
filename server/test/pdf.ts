import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';

const run = promisify(execFile);
/** Not installed everywhere. */
export const pdftotext = '/usr/bin/pdftotext';

/** The text of a PDF as a reader would copy it. Needs `pdftotext`. */
export async function extractText(pdf: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pdf-'));
  try {
    await writeFile(join(folder, 'file.pdf'), pdf);
    const { stdout } = await run(pdftotext, ['-layout', join(folder, 'file.pdf'), '-']);
    // Removes the direction marks that pdftotext adds.
    return stdout.replace(/[\u202a-\u202e]/g, '').replace(/ +/g, ' ');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The targets of all ToUnicode maps in a file, one string per glyph. */
export function mappedTexts(pdf: Buffer): string[] {
  const texts: string[] = [];
  const binary = pdf.toString('latin1');
  for (const { index, 0: start } of binary.matchAll(/(?<!end)stream\n/g)) {
    const bytes = pdf.subarray(index + start.length, binary.indexOf('\nendstream', index));
    if (bytes[0] !== 0x78) continue;
    const stream = inflateSync(bytes).toString('latin1');
    if (!stream.includes('beginbfrange')) continue;
    for (const [, codes = ''] of stream.split('beginbfrange')[1]?.matchAll(/[[ ]<([0-9a-f ]*)>(?=[\] ])/g) ?? []) {
      texts.push(Buffer.from(codes.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'));
    }
  }
  return texts;
}
