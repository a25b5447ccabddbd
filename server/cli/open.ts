import { resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { EmbeddedError } from '../db/embedded-error.ts';
import { connectOrStartEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLogger, openCtx } from '../open.ts';

export const say = (line: string) => void process.stdout.write(`${line}\n`);
export const complain = (line: string) => void process.stderr.write(`${line}\n`);

/** Opens what a command needs on a migrated database, also while the product runs on it, and closes it afterwards. */
async function withCtx(config: Config, work: (ctx: Ctx) => Promise<number>): Promise<number> {
  const embedded = config.databaseUrl
    ? undefined
    : await connectOrStartEmbedded({ dataDir: resolve(config.dataDir), log: () => {} });
  try {
    const databaseUrl = config.databaseUrl ?? embedded!.url; // one of the two exists
    await migrate(databaseUrl);
    await prepareJobs(databaseUrl);
    const open = await openCtx({ ...config, role: 'web' }, databaseUrl, createLogger({ logLevel: 'error' }));
    try {
      return await work(open.ctx);
    } finally {
      await open.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** Runs a command; its answer is the exit code. What a person can put right is one line, not a stack. */
export async function runCommand(work: (ctx: Ctx) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await withCtx(readConfig(process.env), work);
  } catch (error) {
    const isOurs = error instanceof ConfigError || error instanceof EmbeddedError;
    complain(isOurs ? (error as Error).message : ((error as Error).stack ?? String(error))); // only errors are thrown
    process.exitCode = 1;
  }
}
