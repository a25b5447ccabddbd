import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MAX_IMPORT_LINES } from '@officium/contract/content-folder';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { defineJob } from '#server/jobs/define.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import type { FolderFinding } from './folder.format.ts';
import * as repository from './folder-import.repository.ts';
import type { ImportEnd, ImportItem, ImportStep } from './folder-import.repository.ts';
import { CONTENT_FILE, readContentFolder } from './folder-reader.format.ts';
import { zipKey } from './folder-zip-key.policy.ts';
import { findCourseSlugs } from './import.repository.ts';
import { ImportRefused, prepareImport, writeImport } from './import.service.ts';
import type { ImportRun, Prepared } from './import-run.service.ts';
import type { ImportSummary } from './import-tally.policy.ts';
import { storeAssets } from '#server/areas/catalogue/stored-asset.service.ts';

const TOLD_EVERY_MS = 500;

type Tell = (step: ImportStep, done: number, total: number) => Promise<void>;

/** Writes the progress of an import to the database, at most twice a second. */
function progressReporter(ctx: Ctx, id: string): Tell {
  let told = 0;
  let last: ImportStep | undefined;
  return async (step, done, total) => {
    const now = performance.now();
    if (step === last && now - told < TOLD_EVERY_MS) return;
    [told, last] = [now, step];
    await repository.updateStep(ctx.lastingDb, id, { step, done, total });
  };
}

/** Thrown to roll back the transaction of a trial run. */
class RolledBackTrial extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('trial run rolled back');
    this.outcome = outcome;
  }
}

type Outcome = { summary: ImportSummary; items: ImportItem[] };

/** Returns the changed items of an import with their titles, in catalogue order. */
async function outcomeOf(db: Db, { tally }: ImportRun): Promise<Outcome> {
  const changes = tally.changes();
  const titles = await repository.findTitles(db, [...changes.keys()]);
  const items = titles.flatMap(({ kind, key, title }) => {
    const outcome = changes.get(key);
    return outcome ? [{ kind, key, title, outcome }] : [];
  });
  return { summary: tally.summary(), items };
}

/** Performs the import in a transaction, rolls it back and returns the outcome. */
async function tryImport(ctx: Ctx, prepared: Prepared, tell: Tell): Promise<Outcome> {
  try {
    return await inTransaction(ctx.db, async (trx) => {
      const run = await writeImport(trx, prepared, { tell: async (done, total) => await tell('writing', done, total) });
      throw new RolledBackTrial(await outcomeOf(trx, run));
    });
  } catch (error) {
    if (error instanceof RolledBackTrial) return error.outcome;
    throw error;
  }
}

/** Beginning of the names of folders in which archives are unpacked. */
const SCRATCH = 'officium-import-';
/** Longer than a job may take. */
const SCRATCH_MS = 12 * 3600 * 1000;

/** Deletes the folders that killed workers left on this machine. */
export async function sweepScratch(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(SCRATCH));
  for (const name of names) {
    const path = join(tmpdir(), name);
    const folder = await stat(path).catch(() => undefined); // removed meanwhile
    const isOwn = folder?.uid === process.getuid?.();
    if (folder && isOwn && Date.now() - folder.mtimeMs > SCRATCH_MS) await rm(path, { recursive: true, force: true });
  }
}

type Found = { faults: FolderFinding[]; warnings: FolderFinding[]; prepared: Prepared | undefined };

/** Unpacks and reads the folder. Stores its pictures unless this is a trial. */
async function readZip(ctx: Ctx, { id, isTrial }: { id: string; isTrial: boolean }, tell: Tell): Promise<Found> {
  const dir = await mkdtemp(join(tmpdir(), SCRATCH));
  try {
    const [zip, unpacked] = [join(dir, 'content.zip'), join(dir, 'unpacked')];
    await pipeline(await ctx.files.stream(zipKey(id)), createWriteStream(zip, { mode: 0o600 }));
    const { unpackFolder } = await import('./folder-zip.format.ts');
    await unpackFolder(zip, unpacked, async (done, total) => await tell('unpacking', done, total));
    await tell('reading', 0, 0);
    const { folder, assets, faults, warnings } = await readContentFolder(unpacked, {
      knownCourses: await findCourseSlugs(ctx.db),
    });
    if (!folder) return { faults, warnings, prepared: undefined };
    const stored = await storeAssets(isTrial ? undefined : ctx, assets);
    const prepared = await prepareImport(folder, stored, async (done, total) => await tell('reading', done, total));
    return { faults, warnings, prepared };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Builds the final state of an import that failed because of faults. */
function refusal(from: ImportEnd['from'], { faults, warnings }: Pick<Found, 'faults' | 'warnings'>): ImportEnd {
  return { from, to: from === 'checking' ? 'refused' : 'failed', summary: null, items: [], faults, warnings };
}

/** Reports a conflict with stored content as a finding for the whole folder. */
function asFinding({ message }: ImportRefused): FolderFinding {
  return { file: CONTENT_FILE, line: 1, field: '', message };
}

/** Stores the final state and deletes the ZIP unless it is still needed. */
async function end(ctx: Ctx, trx: Db, id: string, how: ImportEnd): Promise<void> {
  const isEnded = await repository.endImport(trx, id, how, MAX_IMPORT_LINES);
  if (!isEnded) throw new Error('The import has already ended.');
  if (how.to !== 'checked') await ctx.jobs.enqueue(trx, removeFilesJob, { keys: [zipKey(id)] });
}

async function check(ctx: Ctx, id: string): Promise<void> {
  const tell = progressReporter(ctx, id);
  const { prepared, ...found } = await readZip(ctx, { id, isTrial: true }, tell);
  let how = refusal('checking', found);
  if (prepared)
    try {
      how = { from: 'checking', to: 'checked', ...found, ...(await tryImport(ctx, prepared, tell)) };
    } catch (error) {
      if (!(error instanceof ImportRefused)) throw error;
      how = refusal('checking', { ...found, faults: [asFinding(error)] });
    }
  await inTransaction(ctx.db, async (trx) => await end(ctx, trx, id, how));
}

async function importIt(ctx: Ctx, id: string): Promise<void> {
  const tell = progressReporter(ctx, id);
  const { prepared, ...found } = await readZip(ctx, { id, isTrial: false }, tell);
  try {
    if (!prepared)
      return void (await inTransaction(ctx.db, async (trx) => await end(ctx, trx, id, refusal('importing', found))));
    // The changes, the final state and the audit record are one transaction.
    await inTransaction(ctx.db, async (trx) => {
      const run = await writeImport(trx, prepared, { tell: async (done, total) => await tell('writing', done, total) });
      const outcome = await outcomeOf(trx, run);
      await recordAction(trx, 'system', { action: 'content.import', object: id, detail: outcome.summary });
      await end(ctx, trx, id, { from: 'importing', to: 'done', ...found, ...outcome });
    });
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const how = refusal('importing', { ...found, faults: [asFinding(error)] });
    await inTransaction(ctx.db, async (trx) => await end(ctx, trx, id, how));
  }
}

/** Runs the trial or the import, depending on its state. A killed worker leaves no changes. */
export const runImportJob = defineJob<{ importId: string }>(
  'content.run-import',
  { inTurn: true, retryLimit: 2, retryDelayMaxSeconds: 60 },
  async (ctx, { importId: id }) => {
    const row = await repository.getImport(ctx.db, id);
    if (row?.state === 'checking') await check(ctx, id);
    if (row?.state === 'importing') await importIt(ctx, id);
  },
);
