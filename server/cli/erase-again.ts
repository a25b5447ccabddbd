import { eraseAgain } from '../areas/auth/erasure.service.ts';
import { complain, runCommand, say } from './open.ts';

/** `npm run erase-again`: after a restore, erases whoever was erased since the backup. */
if (process.argv.length > 2) {
  complain('Usage: npm run erase-again');
  process.exitCode = 2;
} else {
  await runCommand(async (ctx) => {
    const count = await eraseAgain(ctx);
    say(`Erased again: ${count} ${count === 1 ? 'person' : 'people'}.`);
    return 0;
  });
}
