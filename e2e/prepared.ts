import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { FoundBrowser } from './browser.ts';
import type { DemoTemplate, Served } from './demo.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    prepared: string;
  }
}

/** The parts that all browser tests of a run share. setup.ts prepares them while the tests of the server run. */
export type Prepared = { demo: DemoTemplate; readOnlyProduct: Served; browser: FoundBrowser };

/** Tells the workers the result of the preparation: what was prepared, or why it failed. */
export async function announce(file: string, result: { prepared: Prepared } | { error: string }): Promise<void> {
  await writeFile(`${file}.part`, JSON.stringify(result));
  await rename(`${file}.part`, file);
}

let prepared: Prepared | undefined;

/** Waits until the preparation ends. Throws when it failed. */
export async function readPrepared(): Promise<Prepared> {
  if (prepared) return prepared;
  const file = inject('prepared');
  while (!existsSync(file)) await sleep(100);
  const result = JSON.parse(await readFile(file, 'utf8')) as Parameters<typeof announce>[1]; // written by announce
  if ('error' in result) throw new Error(`the browser tests could not be prepared: ${result.error}`);
  return (prepared = result.prepared);
}
