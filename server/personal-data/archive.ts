// Raw SQL: a cursor over statements that the declarations of tables make.
import { PassThrough } from 'node:stream';
import { createTranslator } from '@officium/i18n/catalogue';
import type { Locale } from '@officium/contract/common';
import { configure, ZipWriter } from '@zip.js/zip.js';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/client.ts';
import type { Files } from '../outside/files.ts';
import { exportQuery, PARTS, type Part, type Person, type PersonalFile, type PersonalTable } from './define.ts';
import { indexPage, partPage, type Row } from './page.ts';

configure({ useWebWorkers: false }); // workers are for browsers; compression already runs off this thread

const ROWS_AT_ONCE = 200;

/** The source and the destination of an archive. */
type Source = { files: Files; personalTables: readonly PersonalTable[]; clock: { now(): Date } };

/** The tables of a part that have exported columns, with their queries. */
type Shown = { table: PersonalTable; query: RawBuilder<Row> };

function shownIn({ personalTables }: Source, part: Part, person: Person): Shown[] {
  return personalTables
    .filter((table) => table.part === part)
    .flatMap((table) => {
      const query = exportQuery(table, person);
      return query ? [{ table, query }] : [];
    });
}

/** Reads rows by cursor, a few at a time. `db` is a transaction, and this is its only query meanwhile. */
async function* rowsOf(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row> {
  await sql`declare personal_rows no scroll cursor for ${query}`.execute(db);
  for (let isDone = false; !isDone;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_AT_ONCE)} from personal_rows`.execute(db);
    yield* rows;
    isDone = rows.length < ROWS_AT_ONCE;
  }
  await sql`close personal_rows`.execute(db);
}

/** `{<table>: [<row>, …], …}`; counts the rows as it writes them. */
async function* jsonOf(db: Db, shown: Shown[], count: (rows: number) => void): AsyncGenerator<string> {
  yield '{';
  for (const [nth, { table, query }] of shown.entries()) {
    yield `${nth > 0 ? ',' : ''}\n${JSON.stringify(table.table)}: [`;
    let rows = 0;
    for await (const row of rowsOf(db, query)) yield `${rows++ > 0 ? ',' : ''}\n${JSON.stringify(row)}`;
    yield ']';
    count(rows);
  }
  yield '\n}\n';
}

/** Joins small texts to larger chunks. */
async function* chunksOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < 65_536) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  yield Buffer.from(waiting);
}

/** `ReadableStream.from`, which some type declarations lack. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const next = await iterator.next();
      if (next.done) stream.close();
      else stream.enqueue(next.value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/**
 * Writes all data about a person into a ZIP file: each part as JSON and as HTML, their pictures, and an index page.
 * Returns its size in bytes. `db` is a transaction with a stable snapshot.
 */
export async function writeArchive(
  source: Source,
  db: Db,
  { key, about, locale }: { key: string; about: Person & { name: string }; locale: Locale },
): Promise<number> {
  // Writing a part may leave the transaction idle for long.
  await sql`set local idle_in_transaction_session_timeout = '60s'`.execute(db);
  const out = new PassThrough();
  // When one end fails the other is stopped with the same reason, and both are awaited, because they use `db` and the
  // file.
  out.on('error', () => {}); // thrown by the two below
  let reason: unknown;
  const fail = (error: unknown) => {
    reason ??= error;
    out.destroy(reason as Error); // any thrown value
    throw reason;
  };
  const ends = [
    source.files.putStream(key, out, 'application/zip').catch(fail),
    writeEntries(source, db, { out, about, locale }).catch(fail),
  ] as const;
  await Promise.allSettled(ends);
  return (await Promise.all(ends))[1];
}

async function writeEntries(
  source: Source,
  db: Db,
  { out, about, locale }: { out: PassThrough; about: Person & { name: string }; locale: Locale },
): Promise<number> {
  const translator = createTranslator(locale);
  let bytes = 0;
  const zip = new ZipWriter(sinkInto(out, (more) => (bytes += more)));
  const counts = new Map<Part, number>();
  for (const part of PARTS) {
    const shown = shownIn(source, part, about);
    let rows = 0;
    await zip.add(`${part}.json`, streamOf(chunksOf(jsonOf(db, shown, (more) => (rows += more)))));
    const sections = shown.map(({ table, query }) => ({ table: table.table, rows: () => rowsOf(db, query) }));
    await zip.add(`${part}.html`, streamOf(chunksOf(partPage(translator, { part, sections }))));
    counts.set(part, rows);
  }
  const files = await filesOf(source, db, about);
  for (const { key, name } of files)
    if (await source.files.exists(key)) await zip.add(name, streamOf(await source.files.stream(key)));
  const now = source.clock.now();
  await zip.add('index.html', streamOf(chunksOf(indexPage(translator, { name: about.name, now, counts, files }))));
  await zip.close();
  return bytes;
}

async function filesOf({ personalTables }: Source, db: Db, person: Person): Promise<{ key: string; name: string }[]> {
  const files: PersonalFile[] = [];
  for (const table of personalTables) files.push(...((await table.files?.(db, person)) ?? []));
  return files.flatMap(({ key, name }) => (name === undefined ? [] : [{ key, name }]));
}

/** Waits for a slower reader (backpressure). */
function sinkInto(out: PassThrough, count: (bytes: number) => void): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        count(chunk.length);
        out.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => void out.end(),
    abort: (reason: Error) => void out.destroy(reason),
  });
}
