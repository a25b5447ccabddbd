import { parseArgs } from 'node:util';
import { restore } from '#server/areas/archive/backup.service.ts';
import { ArchiveRefused } from '#server/areas/archive/import-all.service.ts';
import { countPeople, print, printError, runCommand } from './open.ts';
import { withProgress } from './progress.ts';

const USAGE = 'Usage: npm run restore -- <ZIP file of npm run backup> [--replace]';

/**
 * `npm run restore -- <file>`: verifies a backup and reads it, all or nothing. Refuses an installation that is not empty
 * unless `--replace` is given.
 */
function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      options: { replace: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [file, ...rest] = positionals;
    return file === undefined || rest.length > 0 ? undefined : { file, replaces: values.replace };
  } catch {
    return undefined;
  }
}

const options = readOptions();
if (options) {
  await runCommand(async (ctx) => {
    const { file, replaces } = options;
    try {
      const done = await withProgress((tell) => restore(ctx, file, { replaces, tell }));
      const people = countPeople(done.records.get('people'));
      print(`Restored ${file} of ${done.madeAt}: ${people}, ${done.pictures} files.`);
      if (done.erasedAgain > 0) print(`Erased again: ${done.erasedAgain}, who were erased after the backup.`);
      if (done.publicUrl !== ctx.config.publicUrl)
        print(`The backup comes from ${done.publicUrl} and this is ${ctx.config.publicUrl}: set the same PUBLIC_URL.`);
      return 0;
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      for (const fault of error.faults) printError(fault);
      printError('Nothing was changed.');
      if (!replaces) printError('--replace removes what this installation holds first.');
      return 1;
    }
  });
} else {
  printError(USAGE);
  process.exitCode = 2;
}
