import { parseArgs } from 'node:util';
import { seed } from '../seed/seed.ts';
import { printError, runCommand, print } from './open.ts';
import { showProgress } from './progress.ts';

const USAGE = 'Usage: npm run seed -- --people <1 to 1000000> [--force]';

/**
 * `npm run seed -- --people 100000`: fills a new product with people, cohorts and their activity, for trials and
 * benchmarks.
 */
function readSize(): { size: number; isForced: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { people: { type: 'string' }, force: { type: 'boolean' } } });
    const size = Number(values.people);
    return Number.isInteger(size) && size >= 1 && size <= 1_000_000
      ? { size, isForced: values.force ?? false }
      : undefined;
  } catch {
    return undefined;
  }
}

const options = readSize();
if (options) {
  await runCommand(async (ctx) => {
    const progress = showProgress();
    const say = (line: string) => {
      progress.end();
      print(line);
    };
    // Elsewhere than on a terminal, the lines of the parts are the progress.
    const tell = process.stderr.isTTY ? progress.tell : undefined;
    const refusal = await seed(ctx, { ...options, print: say, tell });
    progress.end();
    if (refusal) printError(refusal);
    return refusal ? 1 : 0;
  });
} else {
  printError(USAGE);
  process.exitCode = 2;
}
