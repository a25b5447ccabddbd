import { parseArgs } from 'node:util';
import { examine } from '../doctor/examine.ts';
import { report } from '../doctor/report.ts';
import { printError } from './open.ts';

const USAGE = 'Usage: npm run doctor -- [--json] [--mail <address for a test message>]';

/**
 * `npm run doctor`: checks every setting against the real service behind it. Exits with 1 when something is wrong, and
 * with 2 for wrong arguments.
 */
function readOptions() {
  try {
    const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, mail: { type: 'string' } } });
    return values.mail === undefined || /^[^\s@<>]+@[^\s@<>]+$/.test(values.mail) ? values : undefined;
  } catch {
    return undefined;
  }
}

const options = readOptions();
if (options) {
  const examination = await examine(process.env, { mail: options.mail });
  const text = options.json ? JSON.stringify(examination, undefined, 2) : report(examination);
  // Ends without waiting for a service that hangs.
  process.stdout.write(`${text}\n`, () => process.exit(examination.isWell ? 0 : 1));
} else {
  printError(USAGE);
  process.exitCode = 2;
}
