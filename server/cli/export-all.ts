import { exportAllTo, ExportRefused } from '#server/areas/archive/export-all.service.ts';
import { countPeople, printError, runOnPath, print } from './open.ts';
import { withProgress } from './progress.ts';

const USAGE = 'Usage: npm run export:all -- <new ZIP file, or folder>';

/** `npm run export:all -- <file or folder>`: writes everything into one ZIP, which `npm run import:all` reads. */
await runOnPath(USAGE, async (ctx, path) => {
  try {
    const { file, records, pictures, missing } = await withProgress((tell) => exportAllTo(ctx, path, { tell }));
    for (const key of missing) printError(`warning: the picture ${key} is not in the file store`);
    const total = [...records.values()].reduce((sum, count) => sum + count, 0);
    print(`Exported to ${file}: ${countPeople(records.get('people'))}, ${total} records in all, ${pictures} pictures.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error;
    printError(error.message);
    return 1;
  }
});
