import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dropDatabase, startCluster } from '../server/test/cluster.ts';
import { scratchFolder } from '../server/test/scratch.ts';
import { ensureBuilt } from '../web/build.ts';
import { findBrowser } from './browser.ts';
import { makeTemplate, startDemo } from './demo.ts';
import { announce, type Prepared } from './prepared.ts';

type CleanUp = (() => Promise<void>)[];

/**
 * Builds the pages, finds a browser, starts one PostgreSQL and loads the demo once: every product of the run starts on
 * a copy of it.
 */
async function prepare(folder: string, cleanUp: CleanUp): Promise<Prepared> {
  const { adminUrl, stop } = await startCluster();
  cleanUp.push(stop);
  const [demo] = await Promise.all([makeTemplate(adminUrl, folder), ensureBuilt(() => {})]);
  cleanUp.push(() => dropDatabase(adminUrl, demo.database));
  const { stop: stopReadOnlyProduct, url, dataDir, databaseUrl } = await startDemo({}, { template: demo });
  cleanUp.push(stopReadOnlyProduct);
  return { demo, readOnlyProduct: { url, dataDir, databaseUrl }, browser: await findBrowser() };
}

/** Prepares in the background: the server tests run meanwhile, and browser tests wait (prepared.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await scratchFolder('officium-demo-');
  const file = join(folder, 'prepared.json');
  const cleanUp: CleanUp = [() => rm(folder, { recursive: true, force: true })];
  project.provide('prepared', file);
  const preparation = prepare(folder, cleanUp).then(
    (prepared) => announce(file, { prepared }),
    (error: unknown) => announce(file, { error: String(error) }),
  );
  return async () => {
    await preparation;
    for (const step of cleanUp.toReversed()) await step();
  };
}
