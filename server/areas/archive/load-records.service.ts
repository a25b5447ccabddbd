import { type Db, inTransaction } from '#server/db/client.ts';
import { recordsPath } from './archive-name.policy.ts';
import type { ArchiveReader } from './archive-reader.format.ts';
import { refuse } from './archive-refused.policy.ts';
import { type ColumnTypes, findConstraintColumns, insertRecords, readField } from './archive.repository.ts';
import { type ArchivePlace, fieldsOf, type RecordKind } from './record.format.ts';
import { faultOfLine } from './record-line.policy.ts';

const LETTERS_AT_ONCE = 2_000_000;

type Line = { line: string; number: number };
/** `linesAtOnce`: the records of one statement. */
type Loading = { place: ArchivePlace; types: ColumnTypes; linesAtOnce: number };

/** Reads all records of a kind into the database. Throws `ArchiveRefused` with line and field. Returns their number. */
export async function loadRecords(db: Db, reader: ArchiveReader, kind: RecordKind, loading: Loading): Promise<number> {
  let batch: Line[] = [];
  let letters = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length > 0) await insertBatch(db, kind, batch, loading);
    count += batch.length;
    batch = [];
    letters = 0;
  };
  for await (const read of reader.lines(recordsPath(kind.file))) {
    const fault = faultOfLine(kind, read.line);
    if (fault !== undefined) throw refuse(`${at(kind, read)} ${fault}`);
    batch.push(read);
    letters += read.line.length;
    if (batch.length >= loading.linesAtOnce || letters > LETTERS_AT_ONCE) await flush();
  }
  await flush();
  return count;
}

const at = (kind: RecordKind, { number }: Line) => `${recordsPath(kind.file)}:${number}`;

async function insertBatch(db: Db, kind: RecordKind, batch: readonly Line[], loading: Loading): Promise<void> {
  const insert = (lines: readonly Line[]) =>
    inTransaction(db, (trx) => insertRecords(trx, kind, { ...loading, lines: lines.map(({ line }) => line) }));
  try {
    await insert(batch);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The first line that fails alone; the lines before it stay, so that references between them hold.
    for (const read of batch)
      await insert([read]).catch(async (cause: unknown) => {
        if (!isRefusal(cause)) throw cause;
        throw refuse(
          `${at(kind, read)} ${await faultOf(db, kind, { ...loading, line: read.line, error: cause })}`,
          cause,
        );
      });
    throw error;
  }
}

type DatabaseError = Error & { code: string; column?: string; constraint?: string; detail?: string };

/** Data exceptions, integrity violations, and values that cannot be cast. */
function isRefusal(error: unknown): error is DatabaseError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (/^2[23]/.test(code) || code === '42846' || code === '42804');
}

/** Names the field that the database refuses, and the reason. */
async function faultOf(
  db: Db,
  kind: RecordKind,
  { line, error, types }: Pick<Loading, 'types'> & { line: string; error: DatabaseError },
): Promise<string> {
  const fields = fieldsOf(kind);
  const nameOf = (column: string) => fields.find((field) => field.column === column)?.name ?? column;
  const reason = [error.message, error.detail].filter(Boolean).join(': ').slice(0, 500);
  if (error.column !== undefined) return `${nameOf(error.column)}: ${reason}`;
  if (error.constraint !== undefined) {
    const columns = await findConstraintColumns(db, error.constraint);
    return `${columns.map(nameOf).join(', ')}: ${reason}`;
  }
  for (const field of fields) {
    const isReadable = await inTransaction(db, (trx) => readField(trx, kind, { field, line, types })).then(
      () => true,
      () => false,
    );
    if (!isReadable) return `${field.name}: ${reason}`;
  }
  return reason;
}
