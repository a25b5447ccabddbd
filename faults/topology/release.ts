import { join } from 'node:path';
import { ROOT } from '../../server/test/process.ts';
import { runChild } from './child.ts';
import type { Workshop } from './workshop.ts';

/**
 * The product as it was before its database was last changed, in a folder of the workshop, with the libraries of this
 * checkout: both must lie on one file system, and the checkout must have its history.
 */
export async function checkOutReleaseBefore(shop: Workshop): Promise<string> {
  const folder = join(shop.folder, 'release-before');
  const steps = [
    `mkdir ${folder}`,
    'last=$(git log -1 --format=%H -- server/db/migrations)',
    `git archive "$last^" | tar -x -C ${folder}`,
    // The links in it lead to the parts of the product beside it.
    'for place in node_modules */node_modules; do',
    `  cp -al "$place" "${folder}/$place"`,
    'done',
  ];
  await runChild('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
    log: join(shop.folder, 'release-before.log'),
    cwd: ROOT,
  });
  return folder;
}
