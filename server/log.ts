import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** Of an error: what it is and where it came from. Drivers hang connections and queries on theirs. */
function describeError(error: unknown): object {
  // The job store tells its errors as plain objects.
  if (!(error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)))
    return { message: String(error) };
  const { name, message, stack, cause } = error as Partial<Error>; // only read
  const { code } = error as { code?: unknown }; // Node's and PostgreSQL's errors have one
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** What of the log waits in memory while it cannot be written; what comes after it is dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** A file of the process as a place for the log. A full disk costs lines, and neither the process nor its memory. */
export function logTo(fd: number): pino.DestinationStream {
  const destination = pino.destination({ fd, sync: true, maxLength: MOST_WAITING_BYTES });
  destination.on('error', () => {}); // there is nowhere to tell it
  return destination;
}

/** JSON lines on standard output, or to `destination`. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination: pino.DestinationStream = logTo(process.stdout.fd),
): Logger {
  const options: pino.LoggerOptions = {
    level: config.logLevel,
    serializers: { err: describeError },
    redact: [
      'password',
      'token',
      'secret',
      'code',
      '*.password',
      '*.token',
      '*.secret',
      'apiKey',
      '*.apiKey',
      'headers.cookie',
      'headers.authorization',
    ],
  };
  return pino(options, destination);
}
