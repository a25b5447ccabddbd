import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { startEmbedded } from './db/embedded.ts';
import { mountWeb } from '../web/mount.ts';
import { migrate } from './db/migrate.ts';
import { explain } from './explain.ts';
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
    await listen(app, config);
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

async function listen(app: FastifyInstance, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // listening fails with nothing else
    const setting = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST';
    throw new ConfigError(`${setting}: cannot listen on ${host}, port ${port}: ${message}`, { cause: error });
  }
}

/** Runs the product until it is told to stop. A mistake in the settings or the data folder is one line, not a stack. */
export async function run(): Promise<void> {
  try {
    const starting = start(readConfig(process.env));
    closeWithGrace({ delay: 30_000 }, async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
      // Also of a start still under way, which would leave its database running.
      const running = await starting.catch(() => undefined);
      await running?.stop();
    });
    const { url } = await starting;
    process.stdout.write(`Officium is at ${url}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
