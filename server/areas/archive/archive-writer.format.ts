import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { configure, ZipWriter } from '@zip.js/zip.js';
import type { ArchiveFile } from './manifest.format.ts';

configure({ useWebWorkers: false }); // workers are for browsers; zlib compresses off this thread anyway

/** Writes a ZIP entry by entry, with their sizes and hashes. Waits for a slower reader. */
export class ArchiveWriter {
  readonly files: ArchiveFile[] = [];
  /** The bytes of the ZIP so far. */
  bytes = 0;
  readonly #zip: ZipWriter<unknown>;

  constructor(out: Writable, madeAt: Date) {
    // Sizes are unknown when an entry begins, and may exceed the 4 GB of a plain ZIP.
    this.#zip = new ZipWriter(
      sinkInto(out, (more) => (this.bytes += more)),
      { zip64: true, lastModDate: madeAt },
    );
  }

  /** Adds lines in batches, each line ended by a line feed. */
  async addLines(path: string, batches: AsyncIterable<readonly string[]>): Promise<void> {
    let records = 0;
    const chunks = async function* () {
      for await (const lines of batches) {
        records += lines.length;
        yield Buffer.from(`${lines.join('\n')}\n`);
      }
    };
    const file = await this.#add(path, chunks());
    file.records = records;
  }

  async addText(path: string, text: string): Promise<void> {
    await this.#add(path, [Buffer.from(text)]);
  }

  /** Adds a picture, which is compressed already. */
  async addFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#add(path, content, { level: 0 });
  }

  /** Adds the manifest, which lists everything else, and ends the ZIP. */
  async close(path: string, manifest: string): Promise<void> {
    await this.#zip.add(path, new Blob([manifest]).stream());
    await this.#zip.close();
  }

  async #add(
    path: string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options: { level?: number } = {},
  ): Promise<ArchiveFile> {
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    await this.#zip.add(path, streamOf(counted()), options);
    const file: ArchiveFile = { path, bytes, sha256: hash.digest('hex') };
    this.files.push(file);
    return file;
  }
}

/** `ReadableStream.from`, which some type declarations lack. */
function streamOf(chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const next = await chunks.next();
      if (next.done) stream.close();
      else stream.enqueue(next.value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

function sinkInto(out: Writable, count: (bytes: number) => void): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        count(chunk.length);
        out.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => new Promise<void>((resolve) => out.end(resolve)),
    abort: (reason: Error) => void out.destroy(reason),
  });
}
