import { spawnSync } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import { ROOT } from './process.ts';

/** The limit for a file of the ordinary suite when nothing else runs. */
const MAX_ALONE_S = 45;
const SHOWN = 10;
/** Duration of the work in `slowness` on the reference machine, two idle cores of 2025. */
const WORK_MS = 600;
/** Set while a file runs again by itself. */
const ALONE = 'OFFICIUM_TEST_ALONE';

type Measured = { file: string; project: string; seconds: number };

function measure(module: TestModule): Measured {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const seconds = (collectDuration + setupDuration + duration) / 1000;
  return { file: relative(ROOT, module.moduleId), project: module.project.name, seconds };
}

/**
 * How many times slower this machine is now than the reference machine, at least 1. Uses two threads, because two
 * virtual cores may be one physical core.
 */
async function slowness(): Promise<number> {
  const work = promisify(pbkdf2);
  const startedAt = performance.now();
  await Promise.all(['one', 'the other'].map((core) => work('some work', core, 1_000_000, 32, 'sha256')));
  return Math.max(1, (performance.now() - startedAt) / WORK_MS);
}

/** Runs a file alone and returns its duration in seconds, normalised to the reference machine. */
async function runAlone({ file, project }: Measured): Promise<number> {
  const slowBefore = await slowness();
  const startedAt = performance.now();
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file], {
    cwd: ROOT,
    env: { ...process.env, [ALONE]: '1' },
    stdio: 'ignore',
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return seconds / Math.max(slowBefore, await slowness());
}

/**
 * Prints the ten slowest files. A file that took more than 45 s runs again alone, and fails the run if it is still too
 * slow: split it, or make it a drill of vitest.deep.config.ts.
 */
export default class Durations implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (process.env[ALONE] || modules.length < 2) return;
    const slowest = modules.map(measure).toSorted((a, b) => b.seconds - a.seconds);
    const lines = slowest
      .slice(0, SHOWN)
      .map(({ seconds, project, file }) => `${seconds.toFixed(1).padStart(7)} s  ${project}  ${file}`);
    console.log(`\nThe slowest files:\n${lines.join('\n')}`);
    for (const suspect of slowest.filter(({ seconds }) => seconds > MAX_ALONE_S)) {
      let seconds = await runAlone(suspect);
      // Something else on the machine may have slowed it down.
      if (seconds > MAX_ALONE_S) seconds = Math.min(seconds, await runAlone(suspect));
      if (seconds <= MAX_ALONE_S) continue;
      console.error(`${suspect.file} takes ${seconds.toFixed(0)} s alone; the limit is ${MAX_ALONE_S} s.`);
      process.exitCode = 1;
    }
  }
}
