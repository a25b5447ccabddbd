import { ArchiveRefused, importAll } from '#server/areas/archive/import-all.service.ts';
import { countPeople, printError, runOnPath, print } from './open.ts';
import { withProgress } from './progress.ts';

const USAGE = 'Usage: npm run import:all -- <ZIP file of npm run export:all>';

/** `npm run import:all -- <file>`: reads everything into an empty installation, all or nothing. */
await runOnPath(USAGE, async (ctx, path) => {
  try {
    const { madeAt, publicUrl, records, pictures } = await withProgress((tell) => importAll(ctx, path, { tell }));
    const total = [...records.values()].reduce((sum, count) => sum + count, 0);
    print(
      `Imported ${path} of ${madeAt}: ${countPeople(records.get('people'))}, ${total} records in all, ${pictures} pictures.`,
    );
    if (publicUrl !== ctx.config.publicUrl)
      print(
        `The archive comes from ${publicUrl} and this is ${ctx.config.publicUrl}: links to certificates work only where they were issued.`,
      );
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    for (const fault of error.faults) printError(fault);
    printError('Nothing was imported.');
    return 1;
  }
});
