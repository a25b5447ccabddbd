import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from '../server/test/process.ts';
import { SCREENS } from './screens.ts';

/**
 * Runs the accessibility tests and, when they pass, writes their results to the file behind the accessibility
 * statement. A run with faults leaves the file unchanged.
 */
const RESULTS = join(ROOT, 'web/app/areas/about/accessibility-results.json');
const RUNS = [
  ['--project', 'e2e', 'e2e/pages/', 'e2e/keyboard.spec.ts'],
  ['--config', 'vitest.deep.config.ts', 'e2e/states.spec.ts'],
];

const folder = await mkdtemp(join(tmpdir(), 'officium-accessibility-'));
try {
  for (const options of RUNS)
    if ((await runTests(options)) !== 0) throw new Error('The tests found faults; the statement was not changed.');
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  const ofScreens = (await readdir(folder)).filter((file) => file.startsWith('screens-'));
  const figures = await Promise.all(ofScreens.map((file) => read(basename(file, '.json'))));
  const [{ axe, chromium }] = figures;
  const sum = (figure: 'views' | 'settled') => figures.reduce((all, one) => all + one[figure], 0);
  const { journeys } = await read('keyboard');
  const { states } = await read('states');
  const date = new Date().toISOString().slice(0, 10);
  const results = {
    date,
    axe,
    chromium,
    screens: SCREENS.length,
    views: sum('views') + states,
    settled: sum('settled'),
    journeys,
  };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  console.log(results);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runTests(options: string[]): Promise<number | null> {
  return await new Promise((ended) => {
    spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', ...options], {
      cwd: ROOT,
      env: { ...process.env, ACCESSIBILITY_FIGURES: folder, SCREEN_RULES: 'all' },
      stdio: 'inherit',
    }).on('exit', ended);
  });
}
