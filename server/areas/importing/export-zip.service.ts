import { PassThrough, Readable } from 'node:stream';
import { configure, ZipWriter } from '@zip.js/zip.js';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { readForExport, type StoredPicture } from './export.service.ts';
import { layOutFolder } from './folder-writer.format.ts';

configure({ useWebWorkers: false }); // workers are for browsers; zlib compresses off this thread anyway

/** A fixed time (the earliest in ZIP, in local time), so that the same content gives the same bytes. */
const NO_TIME = new Date(1980, 0, 1);

/** Streams all published content as a ZIP, which is created while it is read. */
export async function exportZip(ctx: Ctx, actor: UserViewer): Promise<Readable> {
  const { folder, pictures } = await readForExport(ctx);
  const texts = layOutFolder(folder, pictures.keys());
  await recordAction(ctx.db, actor, { action: 'content.export', object: 'content' });
  const out = new PassThrough();
  // The client sees a failure as a truncated response.
  writeEntries(ctx, out, texts, pictures).catch((error: unknown) => {
    if (!out.destroyed) ctx.log.error({ err: error }, 'content export failed');
    out.destroy(error as Error); // thrown by streams, which throw errors
  });
  return out;
}

async function writeEntries(
  ctx: Ctx,
  out: PassThrough,
  texts: ReadonlyMap<string, string>,
  pictures: ReadonlyMap<string, StoredPicture>,
): Promise<void> {
  const zip = new ZipWriter(sinkInto(out), { lastModDate: NO_TIME, extendedTimestamp: false });
  const inOrder = <T>(files: ReadonlyMap<string, T>) => [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, text] of inOrder(texts)) await zip.add(path, new Blob([text]).stream());
  // Pictures are already compressed.
  for (const [path, { file }] of inOrder(pictures))
    await zip.add(path, Readable.toWeb(await ctx.files.stream(file)) as ReadableStream<Uint8Array>, { level: 0 }); // files give bytes
  await zip.close();
}

/** Adapts a stream with backpressure; fails when the reader disconnects. */
function sinkInto(out: PassThrough): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        out.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => void out.end(),
    abort: (reason: Error) => void out.destroy(reason),
  });
}
