import { eraseAgain } from '../areas/auth/erasure.service.ts';
import { countPeople, printError, runCommand, print } from './open.ts';

/** `npm run erase-again`: after a restore, repeats the erasures made since the backup. */
if (process.argv.length > 2) {
  printError('Usage: npm run erase-again');
  process.exitCode = 2;
} else {
  await runCommand(async (ctx) => {
    const count = await eraseAgain(ctx);
    print(`Erased again: ${countPeople(count)}.`);
    return 0;
  });
}
