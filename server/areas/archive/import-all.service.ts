import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { stat } from 'node:fs/promises';
import type { ByteRange } from '#server/outside/files.ts';
import { mediaType } from '#server/outside/media-type.ts';
import { mediaOfMime, type MediaType } from '#server/outside/media-type.data.ts';
import { imageType } from '#server/areas/importing/image-type.format.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { settle } from '#server/integrity/counters.ts';
import { ARCHIVE_RECORDS, PAUSED_TRIGGERS } from './archive-records.data.ts';
import * as load from './archive-load.repository.ts';
import { recordsPath } from './archive-name.policy.ts';
import { ArchiveReader } from './archive-reader.format.ts';
import { emptyInstallation, setPasswords } from './archive-secret.repository.ts';
import { countSteps, type Progress, type Steps } from '#server/areas/importing/progress.policy.ts';
import { PASSWORDS, SECRET_RECORDS } from './secret-records.data.ts';
import { ArchiveRefused, refuse } from './archive-refused.policy.ts';
import { allowLongTransaction, readColumnTypes } from './archive.repository.ts';
import { loadRecords } from './load-records.service.ts';

export type ImportedAll = {
  madeAt: string;
  /** The address of the installation that the archive comes from. */
  publicUrl: string;
  /** The number of records by file, such as `people`. */
  records: Map<string, number>;
  pictures: number;
};

/** Tables that a first start fills. */
const FILLED_AT_START = ['audit_log', 'credential_keys', 'users', 'notification_preferences', 'notification_settings'];
const PEOPLE = 'people';
const LINES_AT_ONCE = 500;

export type ImportAllOptions = {
  /** The records of one statement. */
  linesAtOnce?: number;
  /** Empties the installation first, in the same transaction. */
  replaces?: boolean;
  tell?: Progress;
};

/**
 * Reads an archive of `exportAll` into an empty installation, all or nothing. Throws `ArchiveRefused` for an archive
 * that cannot be read, or an installation that is not empty.
 */
export async function importAll(ctx: Ctx, file: string, options: ImportAllOptions = {}): Promise<ImportedAll> {
  const { linesAtOnce = LINES_AT_ONCE, replaces = false } = options;
  const steps = countSteps(options.tell, ARCHIVE_RECORDS.length);
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw refuse(`${file}: no such file`);
  if (!replaces) await requireEmpty(ctx.db);
  const reader = await ArchiveReader.open(file);
  const put: string[] = [];
  try {
    const records = await ctx.db.transaction().execute(async (db) => {
      await allowLongTransaction(db);
      await load.lockArchive(db);
      if (replaces) await emptyInstallation(db);
      else await requireEmpty(db);
      const loaded = await loadAll(ctx, db, reader, { linesAtOnce, steps });
      await putFiles(ctx, reader, { put, steps });
      return loaded;
    });
    const { madeAt, publicUrl } = reader.manifest;
    return { madeAt, publicUrl, records, pictures: put.length };
  } catch (error) {
    for (const key of put) await ctx.files.delete(key);
    throw error;
  } finally {
    await reader.close();
  }
}

/** Refuses an installation with anything but its administrators. */
async function requireEmpty(db: Db): Promise<void> {
  const { others } = await load.findFirstAccounts(db);
  const tables = ARCHIVE_RECORDS.map(({ table }) => table).filter((table) => !FILLED_AT_START.includes(table));
  const filled = await load.findFilledTables(db, tables);
  if (others === 0 && filled.length === 0) return;
  const found = [...(others > 0 ? [`${others} people who are not administrators`] : []), ...filled];
  throw refuse(
    `This installation is not empty (${found.slice(0, 5).join(', ')}). An archive is read into a new installation only: ` +
      'start one with DEMO_CONTENT=off, or with an empty DATA_DIR or database.',
  );
}

async function loadAll(
  ctx: Ctx,
  db: Db,
  reader: ArchiveReader,
  { linesAtOnce, steps }: { linesAtOnce: number; steps: Steps },
): Promise<Map<string, number>> {
  const tables = ARCHIVE_RECORDS.map(({ table }) => table);
  const loading = { place: ctx.config, types: await readColumnTypes(db), linesAtOnce };
  await load.switchTriggers(db, { tables, names: PAUSED_TRIGGERS, isOn: false });
  const kept = await takeOverAdministrators(db, reader);
  const records = new Map<string, number>();
  for (const kind of ARCHIVE_RECORDS) {
    records.set(kind.file, await loadRecords(db, reader, kind, loading));
    await checkReferences(db, kind.file);
    steps.step(kind.file);
  }
  await loadSecrets(db, reader, loading);
  for (const administrator of kept) await load.keepPassword(db, administrator);
  await load.continueNumbers(db);
  await load.analyzeTables(db, ARCHIVE_RECORDS);
  await settle(db);
  await load.foldCounters(db);
  await load.switchTriggers(db, { tables, names: PAUSED_TRIGGERS, isOn: true });
  return records;
}

/** Passwords and second factors, which only a backup has. */
async function loadSecrets(db: Db, reader: ArchiveReader, loading: Parameters<typeof loadRecords>[3]): Promise<void> {
  const path = recordsPath(PASSWORDS);
  const set = async (lines: string[]) =>
    await setPasswords(db, lines).catch((error: unknown) => {
      throw refuse(`${path} has a line that is no password`, error);
    });
  const batch: string[] = [];
  for await (const { line } of reader.lines(path)) {
    batch.push(line);
    if (batch.length >= loading.linesAtOnce) await set(batch.splice(0));
  }
  if (batch.length > 0) await set(batch);
  for (const kind of SECRET_RECORDS) await loadRecords(db, reader, kind, loading);
}

/** A certificate may refer to a later one; all other references are checked line by line. */
async function checkReferences(db: Db, file: string): Promise<void> {
  await load.checkDeferred(db).catch((error: unknown) => {
    const { detail, message } = error as { detail?: string; message: string }; // an error of the database
    throw refuse(`${recordsPath(file)} ${detail ?? message}`, error);
  });
}

/**
 * An administrator of this installation whose address is in the archive becomes that person, with the password that
 * they have here. Returns these.
 */
async function takeOverAdministrators(
  db: Db,
  reader: ArchiveReader,
): Promise<{ email: string; passwordHash: string | null }[]> {
  const { administrators } = await load.findFirstAccounts(db);
  if (administrators.length === 0) return [];
  const addresses = new Set<string>();
  for await (const { line } of reader.lines(recordsPath(PEOPLE))) {
    if (administrators.some(({ email }) => email !== null && line.includes(JSON.stringify(email))))
      addresses.add(emailOf(line));
  }
  const kept: { email: string; passwordHash: string | null }[] = [];
  for (const { id, email, passwordHash } of administrators) {
    if (email === null || !addresses.has(email)) continue;
    await load.removeAccount(db, id);
    kept.push({ email, passwordHash });
  }
  return kept;
}

/** The address of a person's record; empty for a line that is not one, which is refused when it is read. */
function emailOf(line: string): string {
  try {
    const { email } = JSON.parse(line) as { email?: unknown };
    return typeof email === 'string' ? email : '';
  } catch {
    return '';
  }
}

/** Stores the pictures and media that are not there, and notes their keys. */
async function putFiles(
  ctx: Ctx,
  reader: ArchiveReader,
  { put, steps }: { put: string[]; steps: Steps },
): Promise<void> {
  steps.expect(reader.countFiles());
  for await (const { path, key, mime, content } of reader.files()) {
    steps.step('files');
    const type = mediaOfMime(mime);
    if (type) {
      await putMedia(ctx, { path, key, content, type }, put);
      continue;
    }
    const bytes = await buffer(content);
    if ((await imageType(bytes)) !== mime) throw refuse(`${path} is not a picture of the type ${mime}`);
    if (await ctx.files.exists(key)) continue;
    put.push(key);
    await ctx.files.put(key, bytes, mime);
  }
}

type MediaFile = { path: string; key: string; content: Readable; type: MediaType };

/** Stores a recording or document while it is read; its type is known only afterwards. */
async function putMedia(ctx: Ctx, { path, key, content, type }: MediaFile, put: string[]): Promise<void> {
  if (await ctx.files.exists(key)) return void content.resume();
  put.push(key);
  await ctx.files.putStream(key, content, type.mime);
  const bytes = (await ctx.files.size(key)) ?? 0;
  const read = async (range?: ByteRange) => await ctx.files.stream(key, undefined, range);
  const found = await mediaType({ name: path, bytes, read });
  if (found?.mime !== type.mime) throw refuse(`${path} is not a file of the type ${type.mime}`);
}

export { ArchiveRefused };
