import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pino from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../server/config.ts';
import { newId } from '../server/db/client.ts';
import { migrate } from '../server/db/migrate.ts';
import { firstStart } from '../server/process/first-start.ts';
import { JOBS } from '../server/app/jobs.ts';
import { prepareJobs } from '../server/jobs/jobs.ts';
import { openCtx } from '../server/app/open.ts';
import { createDatabase, dropDatabase } from '../server/test/cluster.ts';
import { freePort, ROOT, startProcess } from '../server/test/process.ts';
import { scratchFolder } from '../server/test/scratch.ts';
import { readPrepared } from './prepared.ts';
import { COMMON_SETTINGS, type Product } from './product.ts';

/** A database with the demo content, and its data folder. */
export type DemoTemplate = { adminUrl: string; database: string; dataDir: string };

/** Loads the demo content once and runs the jobs it enqueues. */
export async function makeTemplate(adminUrl: string, folder: string): Promise<DemoTemplate> {
  const database = `officium_demo_${newId().replaceAll('-', '')}`;
  const dataDir = join(folder, 'demo');
  const url = await createDatabase(adminUrl, database);
  await migrate(url);
  await prepareJobs(url, JOBS);
  const config = readConfig({ ...COMMON_SETTINGS, DATA_DIR: dataDir, DATABASE_URL: url });
  const { ctx, close } = await openCtx(config, url, pino({ level: config.logLevel }));
  await firstStart(ctx, () => {});
  await ctx.jobs.drain(ctx);
  await close();
  return { adminUrl, database, dataDir };
}

export type DemoProduct = Product & { databaseUrl: string };
/** The properties of a running product that page tests use. */
export type Served = Pick<DemoProduct, 'url' | 'dataDir' | 'databaseUrl'>;

/** Starts a product on a copy of the demo. It is killed on stop, because its state is not needed. */
export async function startDemo(
  settings: Record<string, string> = {},
  { template: given, args = [] }: { template?: DemoTemplate; args?: readonly string[] } = {},
): Promise<DemoProduct> {
  const template = given ?? (await readPrepared()).demo;
  const folder = await scratchFolder('officium-e2e-');
  const dataDir = join(folder, 'data');
  const name = `officium_e2e_${newId().replaceAll('-', '')}`;
  const [databaseUrl] = await Promise.all([
    createDatabase(template.adminUrl, name, template.database),
    cp(template.dataDir, dataDir, { recursive: true }),
  ]);
  const port = settings['PORT'] ?? (await freePort());
  const url = `http://localhost:${port}`;
  const own = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DEMO_CONTENT: 'off', // already in the template
    ADMIN_SECOND_FACTOR: 'optional', // as with demo content
  };
  const running = await startProcess(join(ROOT, 'server/process/start.js'), {
    url,
    args,
    settings: { ...COMMON_SETTINGS, ...own, ...settings },
  });
  return {
    ...running,
    url,
    dataDir,
    databaseUrl,
    async stop(signal = 'SIGKILL') {
      await running.stop(signal);
      await dropDatabase(template.adminUrl, name);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let own: Promise<DemoProduct> | undefined;

/** Files in e2e/pages only read, so they share a product; every other file has its own. */
const isReadOnly = () => basename(dirname(expect.getState().testPath ?? '')) === 'pages';

/** The product of the current test file, started on first use, so that files do not see each other's changes. */
export async function currentProduct(): Promise<Served> {
  return isReadOnly() ? (await readPrepared()).readOnlyProduct : await (own ??= startDemo());
}

/** Stops the product of the current file, if it has its own. */
export async function stopProduct(): Promise<void> {
  const started = await own;
  own = undefined;
  await started?.stop();
}
