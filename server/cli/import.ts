import { importPath } from '#server/areas/importing/import-source.service.ts';
import { complain, runCommand, say } from './open.ts';

const USAGE = 'Usage: npm run import -- <content folder or Contentful export.json>';

/** `npm run import -- <folder or export.json>`: brings content in, all or nothing, before the first start or while the product runs. */
const [path, ...rest] = process.argv.slice(2);
if (path === undefined || rest.length > 0 || path.startsWith('--')) {
  complain(USAGE);
  process.exitCode = 2;
} else {
  await runCommand(async (ctx) => {
    const { summary, faults, warnings } = await importPath(ctx, path);
    for (const warning of warnings) complain(`warning: ${warning}`);
    for (const fault of faults) complain(fault);
    if (!summary) {
      complain(`Nothing was imported: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`);
      return 1;
    }
    const { added, changed, unchanged, withdrawn } = summary;
    say(`Imported ${path}: ${added} added, ${changed} changed, ${unchanged} unchanged, ${withdrawn} withdrawn.`);
    return 0;
  });
}
