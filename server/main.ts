import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { EmbeddedError } from './db/embedded-error.ts';
import { startEmbedded } from './db/embedded.ts';
import { mountWeb } from '../web/mount.ts';
import { migrate } from './db/migrate.ts';
import { firstStart } from './first-start.ts';
import { prepareJobs } from './jobs/jobs.ts';
import { createLogger, openCtx } from './open.ts';

/** How long a load balancer is given to notice that we are not ready any more; one that keeps its own database has none. */
const DRAIN_MS = 5_000;

/** Starts the product and answers how to stop it. What was opened before a failure is closed again. */
export async function start(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const log = createLogger(config);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  let isDraining = false;
  try {
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      const embedded = await startEmbedded({ dataDir: resolve(config.dataDir), log: say });
      closers.push(() => embedded.stop());
      databaseUrl = embedded.url;
    }
    await migrate(databaseUrl, say);
    await prepareJobs(databaseUrl);
    const { ctx, close } = await openCtx(config, databaseUrl, log);
    closers.push(close);
    await firstStart(ctx, say);
    const app = await buildApp(ctx, {
      isDraining: () => isDraining,
      mountPages: (instance) => mountWeb(instance, { dev: config.mode === 'development', publicUrl: config.publicUrl }),
    });
    closers.push(() => app.close());
    if (config.role !== 'web') await ctx.jobs.work(ctx);
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await closeAll();
    throw error;
  }
  return {
    url: config.publicUrl,
    async stop() {
      isDraining = true;
      if (config.mode === 'production' && config.databaseUrl) await new Promise((later) => setTimeout(later, DRAIN_MS));
      await closeAll();
    },
  };
}

/** Runs the product until it is told to stop. A mistake in the settings or the data folder is one line, not a stack. */
export async function run(): Promise<void> {
  try {
    const running = await start(readConfig(process.env));
    process.stdout.write(`Officium is at ${running.url}\n`);
    closeWithGrace({ delay: 30_000 }, async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
      await running.stop();
    });
  } catch (error) {
    const isOurs = error instanceof ConfigError || error instanceof EmbeddedError;
    process.stderr.write(`${isOurs ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`); // only errors are thrown
    process.exit(1);
  }
}
