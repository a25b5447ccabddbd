import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(?:css|html|js|json|svg|txt|webmanifest)$/;
const MIN_BYTES = 512;

/** Writes `.br` and `.gz` beside every text file of a built folder, by default at the highest quality. */
export async function compressAssets(directory: string, quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  await Promise.all(files.map((file) => compressFile(file, quality)));
}

async function compressFile(file: string, quality: number): Promise<void> {
  const source = await readFile(file);
  if (source.length < MIN_BYTES) return;
  const { br, gzip: gz } = await encodings(source, quality);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

/** Encodes a text as Brotli of this quality and as gzip, off the event loop. */
export async function encodings(source: Buffer, quality: number): Promise<{ br: Buffer; gzip: Buffer }> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(source, { level: 9 }),
  ]);
  return { br, gzip: gz };
}
