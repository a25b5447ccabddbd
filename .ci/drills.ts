import { execFileSync, spawnSync } from 'node:child_process';
import { DRILLS, MORE_REQUESTS, MORE_RULES } from '../vitest.drills.ts';

// Runs one sixth of the drills, chosen by the commit hash, and those whose paths changed. A change that touches more than
// a few runs some of them, also chosen by the hash; the others wait for a later commit.
// Usage: node .ci/drills.ts <options for vitest>

/** Commits made within this time of each other count as one change. */
const LANDING_S = 4 * 60 * 60;
/** Drills of other parts that one run takes: some two minutes each. */
const MAX_TOUCHED = 8;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

const [commit = '', committedAt = ''] = git('log', '-1', '--format=%H %ct').split(' ');
const lot = Number.parseInt(commit.slice(0, 8), 16);
const part = 1 + (lot % 6);
const before = git('rev-list', '-1', `--before=${Number(committedAt) - LANDING_S}`, 'HEAD');
const changed = before === '' ? [] : git('diff', '--name-only', before, 'HEAD').split('\n').filter(Boolean);

const all = Object.entries({ ...DRILLS, ...MORE_REQUESTS, ...MORE_RULES });
const isTouched = (file: string, paths: readonly string[]) =>
  changed.some((path) => path === file || paths.some((beginning) => path.startsWith(beginning)));
const ofPart = all.filter(([, drill]) => drill.part === part).map(([file]) => file);
const allTouched = all
  .filter(([file, drill]) => drill.part !== part && isTouched(file, drill.paths))
  .map(([file]) => file);
const first = allTouched.length > MAX_TOUCHED ? lot % allTouched.length : 0;
const inTurn = [...allTouched.slice(first), ...allTouched.slice(0, first)];
const [touched, waiting] = [inTurn.slice(0, MAX_TOUCHED), inTurn.slice(MAX_TOUCHED)];

console.log(`Drills: part ${part} of 6, for commit ${commit.slice(0, 8)}:\n  ${ofPart.join('\n  ')}`);
if (touched.length > 0)
  console.log(`and drills whose paths changed since ${before.slice(0, 8)}:\n  ${touched.join('\n  ')}`);
if (waiting.length > 0) console.log(`The paths of these changed too; they wait:\n  ${waiting.join('\n  ')}`);

const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.deep.config.ts', ...ofPart, ...touched];
const { status } = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
