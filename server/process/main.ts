import { once } from 'node:events';
import { resolve } from 'node:path';
import { MAX_ZIP_BYTES } from '@officium/contract/content-folder';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app/app.ts';
import { shownAddress } from '#server/areas/assets/outside-picture.policy.ts';
import { shareCores } from '#server/areas/auth/password-hash.service.ts';
import { readConfig, type Config } from '#server/config.ts';
import type { Ctx } from '#server/ctx.ts';
import { ConfigError } from '#server/errors.ts';
import { readBuiltFonts } from '../../web/built-fonts.ts';
import { mountWeb } from '../../web/mount.ts';
import { readDataVersion } from '#server/db/data-version.ts';
import { migrate } from '#server/db/migrate.ts';
import { explain } from './explain.ts';
import { firstStart } from './first-start.ts';
import { releaseMemory } from './release-memory.ts';
import { createMeasurements, type MeasureAll } from '#server/metrics/measurements.ts';
import { createMetricsServer } from '#server/metrics/metrics.ts';
import { watchOverload } from '#server/limits/overload.ts';
import { JOBS } from '#server/app/jobs.ts';
import { prepareJobs } from '#server/jobs/jobs.ts';
import { createLogger } from '#server/log.ts';
import { openCtx } from '#server/app/open.ts';

/** The time for a load balancer to notice that the process is no longer ready; unused with an embedded database. */
const DRAIN_MS = 5_000;

export type Running = {
  url: string;
  /**
   * Lets running requests finish. `isDrained`: first reports not ready, so that a load balancer stops sending requests.
   */
  stop(options?: { isDrained: boolean }): Promise<void>;
  /** The measurements of this process, to be aggregated with the others'. */
  measure(): Promise<unknown>;
};

/** The supervisor's preparations for this process. */
export type Given = { index: number; databaseUrl: string; isPrepared: boolean; measureAll: MeasureAll };

async function mountPages(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const { config, seal, site, pageReads } = ctx;
  await mountWeb(app, {
    dev: config.mode === 'development',
    publicUrl: config.publicUrl,
    site: () => site.current(),
    readVersion: () => readDataVersion(ctx),
    openReads: () => pageReads.open(),
    shownFrom: (address, use) => shownAddress(seal.hash, config.publicUrl, address, use),
    // The file and its multipart overhead. Slightly oversized files are refused by the page itself.
    largeForms: {
      '/admin/content/folder': { bytes: MAX_ZIP_BYTES + 64 * 1024, from: 'administrators' },
      '/admin/content/': { bytes: 32 * 1024 * 1024, from: 'authors' },
      '/admin/': { bytes: 12 * 1024 * 1024, from: 'administrators' },
      // Pictures of texts; an article may come with two.
      '/articles/': { bytes: 12 * 1024 * 1024, from: 'people' },
      '/communities/': { bytes: 8 * 1024 * 1024, from: 'people' },
      '/courses/': { bytes: 8 * 1024 * 1024, from: 'people' },
      '/me/settings/picture': { bytes: 12 * 1024 * 1024, from: 'people' },
    },
  });
}

/** Starts the product and returns how to stop it. After a failure everything opened before is closed. */
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
      mountPages: (instance) => mountPages(instance, ctx),
      fonts: config.mode === 'development' ? undefined : readBuiltFonts(),
    });
    closers.push(() => app.close());
    if (config.role !== 'web') await ctx.jobs.work(ctx);
    releaseMemory();
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

/** Starts to listen; a failure names the wrong setting. */
async function listening(
  setting: 'PORT' | 'METRICS_PORT',
  { port, host }: { port: number; host: string },
  begin: () => Promise<unknown>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // errors of listening are always of this type
    const wrong = code === 'EADDRINUSE' || code === 'EACCES' ? setting : 'HOST';
    throw new ConfigError(`${wrong}: cannot listen on ${host}, port ${port}: ${message}`, { cause: error });
  }
}

/**
 * Runs the product in this process until it is stopped. A mistake in the settings or the data folder is reported in one
 * line, without a stack.
 */
export async function run(): Promise<void> {
  try {
    const starting = start({ ...readConfig(process.env), processes: 1 });
    closeWithGrace({ delay: 30_000 }, async ({ err }) => {
      if (err) process.stderr.write(`${err.stack ?? String(err)}\n`);
      // Also during a start, which would leave its database running.
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
