import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileKey, PICTURE_EDGES } from '#server/areas/account/picture.policy.ts';
import { fileOf } from '#server/areas/catalogue/stored-asset.view.ts';
import { readContent } from '#server/areas/importing/export.service.ts';
import { layOutFolder } from '#server/areas/importing/folder-writer.format.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { VERSION } from '#server/version.ts';
import { archiveName, CONTENT, FILES, recordsPath } from './archive-name.policy.ts';
import { ARCHIVE_RECORDS } from './archive-records.data.ts';
import { findAssetKeys, findProfilePictures } from './archive-file.repository.ts';
import { allowLongTransaction, readColumnTypes, readRecords, readSnapshotTime } from './archive.repository.ts';
import { ArchiveWriter } from './archive-writer.format.ts';
import { countSteps, type Progress, type Steps } from '#server/areas/importing/progress.policy.ts';
import { readPasswords } from './archive-secret.repository.ts';
import { PASSWORDS, SECRET_RECORDS } from './secret-records.data.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, MANIFEST_FILE, type Manifest } from './manifest.format.ts';

export type ExportedAll = {
  madeAt: Date;
  /** The size of the ZIP. */
  bytes: number;
  /** The number of records by file, such as `people`. */
  records: Map<string, number>;
  /** The number of pictures. */
  pictures: number;
  /** Keys of pictures that are recorded and not in the file store. */
  missing: string[];
};

export type ExportAllOptions = {
  /** Includes passwords and second factors, for a backup. */
  withSecrets?: boolean;
  tell?: Progress;
};

/**
 * Writes everything into a ZIP: one snapshot of the database, then the pictures. Reads records by cursor, so that memory
 * grows only with the catalogue and the number of pictures. Ends `out`.
 */
export async function exportAll(ctx: Ctx, out: Writable, options: ExportAllOptions = {}): Promise<ExportedAll> {
  const steps = countSteps(options.tell, ARCHIVE_RECORDS.length);
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      await allowLongTransaction(db);
      const madeAt = await readSnapshotTime(db);
      const writer = new ArchiveWriter(out, madeAt);
      const missing: string[] = [];
      await writeContent(ctx, db, writer, missing);
      const records = await writeRecords(ctx, db, writer, steps);
      if (options.withSecrets) await writeSecrets(ctx, db, writer);
      const pictures = await writeFiles(ctx, db, writer, { missing, steps });
      const manifest: Manifest = {
        format: ARCHIVE_FORMAT,
        version: ARCHIVE_VERSION,
        product: VERSION,
        madeAt: madeAt.toISOString(),
        publicUrl: ctx.config.publicUrl,
        files: writer.files,
      };
      await writer.close(MANIFEST_FILE, `${JSON.stringify(manifest, null, 1)}\n`);
      return { madeAt, bytes: writer.bytes, records, pictures, missing: [...new Set(missing)] };
    });
}

/**
 * Writes everything into a new file, or a file named by the date in an existing folder. Returns its path. Throws if the
 * file exists.
 */
export async function exportAllTo(
  ctx: Ctx,
  path: string,
  options?: ExportAllOptions,
): Promise<ExportedAll & { file: string }> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  const file = isFolder ? join(path, archiveName(ctx.clock.now(), options)) : path;
  if (await stat(file).catch(() => undefined)) throw new ExportRefused(`${file} exists already.`);
  const part = `${file}.part`;
  // Everybody's data: nobody else on the machine may read it.
  const out = createWriteStream(part, { flags: 'wx', mode: 0o600 });
  try {
    await new Promise<void>((resolve, reject) => out.once('open', () => resolve()).once('error', reject));
    out.on('error', () => {}); // reported by the write that fails
    const exported = await exportAll(ctx, out, options);
    await rename(part, file);
    return { ...exported, file };
  } catch (error) {
    out.destroy();
    if (!isTaken(error)) await rm(part, { force: true });
    throw isTaken(error) ? new ExportRefused(`${part} exists: another export writes it, or was interrupted.`) : error;
  }
}

/** A mistake of whoever runs the export; the message is one line. */
export class ExportRefused extends Error {}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** The published content as a content folder, for other programs: reading back uses the records. */
async function writeContent(ctx: Ctx, db: Db, writer: ArchiveWriter, missing: string[]): Promise<void> {
  const { folder, pictures } = await readContent(db);
  for (const [path, text] of layOutFolder(folder, pictures.keys())) await writer.addText(CONTENT + path, text);
  for (const [path, { file }] of pictures) await addFile(ctx, writer, { path: CONTENT + path, key: file, missing });
}

async function writeRecords(ctx: Ctx, db: Db, writer: ArchiveWriter, steps: Steps): Promise<Map<string, number>> {
  const types = await readColumnTypes(db);
  const records = new Map<string, number>();
  for (const kind of ARCHIVE_RECORDS) {
    await writer.addLines(recordsPath(kind.file), readRecords(db, kind, { place: ctx.config, types }));
    records.set(kind.file, writer.files.at(-1)?.records ?? 0);
    steps.step(kind.file);
  }
  return records;
}

async function writeSecrets(ctx: Ctx, db: Db, writer: ArchiveWriter): Promise<void> {
  const types = await readColumnTypes(db);
  await writer.addLines(recordsPath(PASSWORDS), readPasswords(db));
  for (const kind of SECRET_RECORDS)
    await writer.addLines(recordsPath(kind.file), readRecords(db, kind, { place: ctx.config, types }));
}

async function writeFiles(
  ctx: Ctx,
  db: Db,
  writer: ArchiveWriter,
  { missing, steps }: { missing: string[]; steps: Steps },
): Promise<number> {
  const before = writer.files.length;
  const assetKeys = await findAssetKeys(db);
  steps.expect(assetKeys.length);
  for (const assetKey of assetKeys) {
    const stored = fileOf(assetKey);
    if (stored) await addFile(ctx, writer, { path: FILES + stored.file, key: stored.file, missing });
    steps.step('files');
  }
  for await (const ids of findProfilePictures(db)) {
    steps.expect(ids.length);
    for (const id of ids) {
      for (const edge of PICTURE_EDGES) {
        const key = fileKey(id, edge);
        await addFile(ctx, writer, { path: FILES + key, key, missing });
      }
      steps.step('profile pictures');
    }
  }
  return writer.files.length - before;
}

async function addFile(
  ctx: Ctx,
  writer: ArchiveWriter,
  { path, key, missing }: { path: string; key: string; missing: string[] },
): Promise<void> {
  // A person may have deleted a picture after the snapshot.
  if (await ctx.files.exists(key)) await writer.addFile(path, await ctx.files.stream(key));
  else missing.push(key);
}
