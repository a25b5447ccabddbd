import { once } from 'node:events';
import { resolve } from 'node:path';
import { MAX_ZIP_BYTES } from '@officium/contract/content-folder';
import closeWithGrace from 'close-with-grace';
import { buildApp } from '#server/app/app.ts';
import { shownAddress } from '#server/areas/assets/outside-picture.policy.ts';
import { shareCores } from '#server/areas/auth/password-hash.service.ts';
import { readConfig, type Config } from '#server/config.ts';
import { ConfigError } from '#server/errors.ts';
import { mountWeb } from '../../web/mount.ts';
import { migrate } from '#server/db/migrate.ts';
import { explain } from './explain.ts';
import { firstStart } from './first-start.ts';
import { giveBackMemory } from './give-back.ts';
import { createMeasurements, type MeasureAll } from '#server/metrics/measurements.ts';
import { createMetricsServer } from '#server/metrics/metrics.ts';
import { watchOverload } from '#server/limits/overload.ts';
import { JOBS } from '#server/app/jobs.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { createLogger } from '#server/log.ts';
import { openCtx } from '#server/app/open.ts';

/** How long a load balancer is given to notice that we are not ready any more; one that keeps its own database has none. */
const DRAIN_MS = 5_000;

export type Running = {
  url: string;
  /** Lets what is under way finish. `isDrained`: a load balancer is told first, and given time to notice. */
  stop(options?: { isDrained: boolean }): Promise<void>;
  /** What this process measured, to be added up with what others did. */
  measure(): Promise<unknown>;
};

/** What a supervisor has done before this process. */
export type Given = { place: number; databaseUrl: string; isPrepared: boolean; measureAll: MeasureAll };

/** Starts the product and answers how to stop it. What was opened before a failure is closed again. */
export async function start(config: Config, given?: Given): Promise<Running> {
  const log = createLogger(config);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  let isDraining = false;
  try {
    let databaseUrl = given?.databaseUrl ?? config.databaseUrl;
    if (databaseUrl === undefined) {
      const { startEmbedded } = await import('#server/db/embedded/embedded.ts');
      const embedded = await startEmbedded({ dataDir: resolve(config.dataDir), log: say });
      closers.push(() => embedded.stop());
      databaseUrl = embedded.url;
    }
    const directUrl = config.databaseDirectUrl ?? databaseUrl;
    if (!given?.isPrepared) {
      await migrate(directUrl, say, { setting: config.databaseDirectUrl && 'DATABASE_DIRECT_URL' });
      await prepareJobs(directUrl, JOBS);
    }
    shareCores(config.processes);
    const { ctx, close } = await openCtx(config, databaseUrl, log);
    closers.push(close);
    if (!given?.isPrepared) await firstStart(ctx, say);
    const measurements = createMeasurements(ctx, given);
    const overload = config.mode === 'production' && config.shedLoad ? watchOverload() : undefined;
    const app = await buildApp(ctx, {
      isOverloaded: overload?.isOverloaded,
      measurements,
      isDraining: () => isDraining,
      mountPages: (instance) =>
        mountWeb(instance, {
          dev: config.mode === 'development',
          publicUrl: config.publicUrl,
          shownFrom: (address, use) => shownAddress(ctx.seal.hash, config.publicUrl, address, use),
          // The file, and what the form has around it. A file that is somewhat too large is refused by the page.
          largeForms: {
            '/admin/content/folder': { bytes: MAX_ZIP_BYTES + 64 * 1024, from: 'administrators' },
            '/admin/': { bytes: 12 * 1024 * 1024, from: 'administrators' },
            '/me/settings/picture': { bytes: 12 * 1024 * 1024, from: 'people' },
          },
        }),
    });
    closers.push(() => app.close());
    if (config.role !== 'web') await ctx.jobs.work(ctx);
    giveBackMemory();
    const { port, host, metricsPort } = config;
    await listening('PORT', { port, host }, () => app.listen({ port, host }));
    if (metricsPort !== undefined) {
      const server = createMetricsServer(config, measurements, log);
      closers.push(async () => void server.close().closeAllConnections());
      await listening('METRICS_PORT', { port: metricsPort, host }, () =>
        once(server.listen({ port: metricsPort, host }), 'listening'),
      );
    }
    return {
      url: config.publicUrl,
      async stop({ isDrained } = { isDrained: true }) {
        isDraining = true;
        if (isDrained && config.mode === 'production' && config.databaseUrl)
          await new Promise((later) => setTimeout(later, DRAIN_MS));
        await closeAll();
      },
      measure: measurements.own,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Begins to listen; a failure names the setting that is wrong. */
async function listening(
  setting: 'PORT' | 'METRICS_PORT',
  { port, host }: { port: number; host: string },
  begin: () => Promise<unknown>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // listening fails with nothing else
    const wrong = code === 'EADDRINUSE' || code === 'EACCES' ? setting : 'HOST';
    throw new ConfigError(`${wrong}: cannot listen on ${host}, port ${port}: ${message}`, { cause: error });
  }
}

/** Runs the product in this process until it is told to stop. A mistake in the settings or the data folder is one line, not a stack. */
export async function run(): Promise<void> {
  try {
    const starting = start({ ...readConfig(process.env), processes: 1 });
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
