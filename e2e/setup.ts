import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { dropDatabase, startCluster } from '../server/test/cluster.ts';
import { ensureBuilt } from '../web/build.ts';
import { findBrowser, type FoundBrowser } from './browser.ts';
import { makeTemplate, type DemoTemplate } from './demo.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    demo: DemoTemplate;
    browser: FoundBrowser;
  }
}

/** Builds the pages, finds a browser, starts one PostgreSQL and loads the demo once; every product of the run starts on a copy of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt(() => {});
  const { adminUrl, stop } = await startCluster();
  const folder = await mkdtemp(join(tmpdir(), 'officium-demo-'));
  const template = await makeTemplate(adminUrl, folder);
  project.provide('demo', template);
  project.provide('browser', await findBrowser());
  return async () => {
    await dropDatabase(adminUrl, template.database);
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}
