import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { ROOT } from './process.ts';

/** A file of the ordinary suite takes at most this long when nothing else runs. */
const MAX_ALONE_S = 45;
const SHOWN = 10;
/** Set for a file that is run again by itself. */
const ALONE = 'OFFICIUM_TEST_ALONE';

type Measured = { file: string; project: string; seconds: number };

function measure(module: TestModule): Measured {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const seconds = (collectDuration + setupDuration + duration) / 1000;
  return { file: relative(ROOT, module.moduleId), project: module.project.name, seconds };
}

/** Seconds a file takes alone on this machine. */
function runAlone({ file, project }: Measured): number {
  const startedAt = performance.now();
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', project, file], {
    cwd: ROOT,
    env: { ...process.env, [ALONE]: '1' },
    stdio: 'ignore',
  });
  return (performance.now() - startedAt) / 1000;
}

/**
 * Prints the ten slowest files. A file that took more than 45 s beside others is run again alone, and fails the run when
 * it takes more even then: split it, or make it a drill of vitest.deep.config.ts.
 */
export default class Durations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env[ALONE] || modules.length < 2) return;
    const slowest = modules.map(measure).toSorted((a, b) => b.seconds - a.seconds);
    const lines = slowest
      .slice(0, SHOWN)
      .map(({ seconds, project, file }) => `${seconds.toFixed(1).padStart(7)} s  ${project}  ${file}`);
    console.log(`\nThe slowest files:\n${lines.join('\n')}`);
    for (const suspect of slowest.filter(({ seconds }) => seconds > MAX_ALONE_S)) {
      const seconds = runAlone(suspect);
      if (seconds <= MAX_ALONE_S) continue;
      console.error(`${suspect.file} takes ${seconds.toFixed(0)} s alone; a file may take ${MAX_ALONE_S} s.`);
      process.exitCode = 1;
    }
  }
}
