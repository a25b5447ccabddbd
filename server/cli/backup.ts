import { backUp } from '#server/areas/archive/backup.service.ts';
import { ExportRefused } from '#server/areas/archive/export-all.service.ts';
import { ArchiveRefused } from '#server/areas/archive/import-all.service.ts';
import { countPeople, print, printError, runOnPath } from './open.ts';
import { withProgress } from './progress.ts';

const USAGE = 'Usage: npm run backup -- <new ZIP file, or folder>';

/** `npm run backup -- <file or folder>`: writes a verified archive of database and files, while the product runs. */
await runOnPath(USAGE, async (ctx, path) => {
  try {
    const { file, bytes, records, pictures, missing } = await withProgress((tell) => backUp(ctx, path, tell));
    for (const key of missing) printError(`warning: the file ${key} is not in the file store`);
    const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    print(
      `Backed up to ${file} (${size}): ${countPeople(records.get('people'))}, ${pictures} files. Every checksum is right.`,
    );
    print('It holds password hashes: keep it locked away, and SECRET_KEY or DATA_DIR/secret.key apart from it.');
    return 0;
  } catch (error) {
    if (error instanceof ExportRefused) printError(error.message);
    else if (error instanceof ArchiveRefused) for (const fault of error.faults) printError(fault);
    else throw error;
    return 1;
  }
});
