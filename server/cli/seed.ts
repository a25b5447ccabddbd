import { parseArgs } from 'node:util';
import { seed } from '../seed/seed.ts';
import { complain, runCommand, say } from './open.ts';

const USAGE = 'Usage: npm run seed -- --people <1 to 1000000> [--force]';

/** `npm run seed -- --people 100000`: fills a new product with people, cohorts and what they do, to try and to measure. */
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

const asked = readSize();
if (asked) {
  await runCommand(async (ctx) => {
    const refusal = await seed(ctx, { ...asked, say });
    if (refusal) complain(refusal);
    return refusal ? 1 : 0;
  });
} else {
  complain(USAGE);
  process.exitCode = 2;
}
