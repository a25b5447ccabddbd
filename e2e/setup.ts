import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { dropDatabase, startCluster } from '../server/test/cluster.ts';
import { scratchFolder } from '../server/test/scratch.ts';
import { ensureBuilt } from '../web/build.ts';
import { findBrowser, type FoundBrowser } from './browser.ts';
import { makeTemplate, startDemo, type DemoTemplate, type Served } from './demo.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    demo: DemoTemplate;
    readOnlyProduct: Served;
    browser: FoundBrowser;
  }
}

/**
 * Builds the pages, finds a browser, starts one PostgreSQL and loads the demo once: every product of the run starts on
 * a copy of it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, stop } = await startCluster();
  const folder = await scratchFolder('officium-demo-');
  const [template] = await Promise.all([makeTemplate(adminUrl, folder), ensureBuilt(() => {})]);
  const { stop: stopReadOnlyProduct, url, dataDir, databaseUrl } = await startDemo({}, { template });
  project.provide('demo', template);
  project.provide('readOnlyProduct', { url, dataDir, databaseUrl });
  project.provide('browser', await findBrowser());
  return async () => {
    await stopReadOnlyProduct();
    await dropDatabase(adminUrl, template.database);
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}
