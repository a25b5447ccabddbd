import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { EmbeddedError } from './db/embedded-error.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { prepareJobs } from './jobs/jobs.ts';
import { createLogger, openCtx } from './open.ts';

/** How long a load balancer is given to notice that we are not ready any more; one that keeps its own database has none. */
const DRAIN_MS = 5_000;

/** Starts the product and answers how to stop it. */
export async function start(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const log = createLogger(config);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: resolve(config.dataDir), log: say });
  const databaseUrl = config.databaseUrl ?? embedded!.url; // one of the two exists
  let isDraining = false;
  try {
    await migrate(databaseUrl, say);
    await prepareJobs(databaseUrl);
    const open = await openCtx(config, databaseUrl, log);
    const { firstStart } = await import('./first-start.ts');
    await firstStart(open.ctx, say);
    const pages = config.role === 'worker' ? undefined : (await import('../web/mount.ts')).mountWeb;
    const app = await buildApp(open.ctx, {
      isDraining: () => isDraining,
      mountPages:
        pages && ((instance) => pages(instance, { dev: config.mode === 'development', publicUrl: config.publicUrl })),
    });
    if (config.role !== 'web') await open.ctx.jobs.work(open.ctx);
    await app.listen({ port: config.port, host: config.host });
    return {
      url: config.publicUrl,
      async stop() {
        isDraining = true;
        if (config.mode === 'production' && config.databaseUrl) await new Promise((done) => setTimeout(done, DRAIN_MS));
        await app.close();
        await open.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
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
