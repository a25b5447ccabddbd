import { resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { connectOrStartEmbedded, type EmbeddedPostgres } from '#server/db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { explain } from '#server/process/explain.ts';
import { JOBS } from '../app/jobs.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLogger } from '../log.ts';
import { openCtx } from '#server/app/open.ts';

export const print = (line: string) => void process.stdout.write(`${line}\n`);
export const printError = (line: string) => void process.stderr.write(`${line}\n`);

/** `1 person`, `2 people`. */
export const countPeople = (count = 0) => `${count} ${count === 1 ? 'person' : 'people'}`;

let isStopped = false;

/** On a signal, stops the server the command started, which rolls back its transaction. */
function stopOnSignal(opening: Promise<EmbeddedPostgres> | undefined): void {
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    const embedded = await opening?.catch(() => undefined);
    await embedded?.stop();
    printError('Stopped.');
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());
}

/**
 * Opens a context on a migrated database and closes it afterwards. Works while the product runs on the same database.
 */
async function withCtx(config: Config, work: (ctx: Ctx) => Promise<number>): Promise<number> {
  const opening = config.databaseUrl
    ? undefined
    : connectOrStartEmbedded({ dataDir: resolve(config.dataDir), log: () => {} });
  stopOnSignal(opening);
  const embedded = await opening;
  try {
    const databaseUrl = config.databaseUrl ?? embedded!.url; // one of the two exists
    const directUrl = config.databaseDirectUrl ?? databaseUrl;
    await migrate(directUrl);
    await prepareJobs(directUrl, JOBS);
    const open = await openCtx({ ...config, role: 'web' }, databaseUrl, createLogger({ logLevel: 'fatal' }));
    try {
      return await work(open.ctx);
    } finally {
      await open.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** Runs a command and exits with the code it returns. Expected errors print one line, not a stack. */
export async function runCommand(work: (ctx: Ctx) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await withCtx(readConfig(process.env), work);
  } catch (error) {
    if (isStopped) return; // caused by the stop itself
    printError(explain(error));
    process.exitCode = 1;
  }
}

/** Runs a command whose only argument is a path; otherwise prints its usage and exits with 2. */
export async function runOnPath(usage: string, work: (ctx: Ctx, path: string) => Promise<number>): Promise<void> {
  const [path, ...rest] = process.argv.slice(2);
  if (path === undefined || rest.length > 0 || path.startsWith('--')) {
    printError(usage);
    process.exitCode = 2;
    return;
  }
  await runCommand(async (ctx) => await work(ctx, path));
}
