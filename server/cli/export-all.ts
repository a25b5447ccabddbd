import { exportAllTo, ExportRefused } from '#server/areas/archive/export-all.service.ts';
import { printError, runCommand, print } from './open.ts';

const USAGE = 'Usage: npm run export:all -- <new ZIP file, or folder>';

/** `npm run export:all -- <file or folder>`: writes everything into one ZIP, which `npm run import:all` reads. */
const [path, ...rest] = process.argv.slice(2);
if (path === undefined || rest.length > 0 || path.startsWith('--')) {
  printError(USAGE);
  process.exitCode = 2;
} else {
  await runCommand(async (ctx) => {
    try {
      const { file, records, pictures, missing } = await exportAllTo(ctx, path);
      for (const key of missing) printError(`warning: the picture ${key} is not in the file store`);
      const total = [...records.values()].reduce((sum, count) => sum + count, 0);
      print(`Exported to ${file}: ${records.get('people')} people, ${total} records in all, ${pictures} pictures.`);
      return 0;
    } catch (error) {
      if (!(error instanceof ExportRefused)) throw error;
      printError(error.message);
      return 1;
    }
  });
}
