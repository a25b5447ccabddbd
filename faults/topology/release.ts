import { join } from 'node:path';
import { ROOT } from '../../server/test/process.ts';
import { runChild } from './child.ts';
import type { Workshop } from './workshop.ts';

/**
 * Unpacks the release before the last migration into the workshop, with the node_modules of this checkout. Both must be
 * on one file system, and the checkout needs its history.
 */
export async function checkOutReleaseBefore(workshop: Workshop): Promise<string> {
  const folder = join(workshop.folder, 'release-before');
  const steps = [
    `mkdir ${folder}`,
    'last=$(git log -1 --format=%H -- server/db/migrations)',
    `git archive "$last^" | tar -x -C ${folder}`,
    // Links in node_modules lead to the workspaces of that release.
    'for place in node_modules */node_modules; do',
    `  cp -al "$place" "${folder}/$place"`,
    'done',
  ];
  await runChild('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
    log: join(workshop.folder, 'release-before.log'),
    cwd: ROOT,
  });
  return folder;
}
