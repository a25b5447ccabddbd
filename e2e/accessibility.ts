import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../server/test/process.ts';

/*
 * Runs the tests of accessibility and, when they pass, writes what they saw into the file that the accessibility
 * statement is made from. A run with a fault leaves the file as it was.
 */
const RESULTS = join(ROOT, 'web/app/areas/about/accessibility-results.json');
const TESTS = ['pages', 'states', 'keyboard'].map((name) => `e2e/${name}.spec.ts`);

const folder = await mkdtemp(join(tmpdir(), 'officium-accessibility-'));
try {
  const code = await new Promise<number | null>((ended) => {
    spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', ...TESTS], {
      cwd: ROOT,
      env: { ...process.env, ACCESSIBILITY_FIGURES: folder },
      stdio: 'inherit',
    }).on('exit', ended);
  });
  if (code !== 0) throw new Error('The tests found faults; the statement stays as it was.');
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  const { screens, views, settled, axe, chromium } = await read('screens');
  const { journeys } = await read('keyboard');
  const { states } = await read('states');
  const date = new Date().toISOString().slice(0, 10);
  const results = { date, axe, chromium, screens, views: views + states, settled, journeys };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  console.log(results);
} finally {
  await rm(folder, { recursive: true, force: true });
}
