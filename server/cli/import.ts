import { importPath } from '#server/areas/importing/import-source.service.ts';
import { printError, runOnPath, print } from './open.ts';
import { withProgress } from './progress.ts';

const USAGE = 'Usage: npm run import -- <content folder or Contentful export.json>';

/**
 * `npm run import -- <folder or export.json>`: imports content, all or nothing, before the first start or while the
 * product runs.
 */
await runOnPath(USAGE, async (ctx, path) => {
  const { summary, faults, warnings } = await withProgress((tell) => importPath(ctx, path, tell));
  for (const warning of warnings) printError(`warning: ${warning}`);
  for (const fault of faults) printError(fault);
  if (!summary) {
    printError(`Nothing was imported: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`);
    return 1;
  }
  const { added, changed, unchanged, withdrawn } = summary;
  print(`Imported ${path}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${withdrawn} withdrawn.`);
  return 0;
});
