import { execFileSync, spawnSync } from 'node:child_process';
import { DRILLS, MORE_REQUESTS, MORE_RULES } from '../vitest.drills.ts';

// Runs one sixth of the drills, chosen by the commit, and every drill whose own paths changed with it.
// Usage: node .ci/drills.ts <options for vitest>

/** Commits that land together were made within this time of each other. */
const LANDING_S = 4 * 60 * 60;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

const [commit = '', committedAt = ''] = git('log', '-1', '--format=%H %ct').split(' ');
const part = 1 + (Number.parseInt(commit.slice(0, 8), 16) % 6);
const before = git('rev-list', '-1', `--before=${Number(committedAt) - LANDING_S}`, 'HEAD');
const changed = before === '' ? [] : git('diff', '--name-only', before, 'HEAD').split('\n').filter(Boolean);

const all = Object.entries({ ...DRILLS, ...MORE_REQUESTS, ...MORE_RULES });
const isTouched = (file: string, paths: readonly string[]) =>
  changed.some((path) => path === file || paths.some((beginning) => path.startsWith(beginning)));
const ofPart = all.filter(([, drill]) => drill.part === part).map(([file]) => file);
const touched = all
  .filter(([file, drill]) => drill.part !== part && isTouched(file, drill.paths))
  .map(([file]) => file);

console.log(`Drills: part ${part} of 6, by commit ${commit.slice(0, 8)}:\n  ${ofPart.join('\n  ')}`);
if (touched.length > 0)
  console.log(`and those whose paths changed since ${before.slice(0, 8)}:\n  ${touched.join('\n  ')}`);

const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.deep.config.ts', ...ofPart, ...touched];
const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
