import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** The loggable fields of an error. Drivers attach connections and queries to theirs. */
function describeError(error: unknown): object {
  // The job store reports errors as plain objects.
  if (!(error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)))
    return { message: String(error) };
  const { name, message, stack, cause } = error as Partial<Error>; // only read
  const { code } = error as { code?: unknown }; // Node and PostgreSQL errors have a code
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** Log lines buffered in memory while they cannot be written; later ones are dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** Writes the log to a file descriptor. A full disk loses lines, and affects neither the process nor its memory. */
export function logTo(fd: number): pino.DestinationStream {
  const destination = pino.destination({ fd, sync: true, maxLength: MOST_WAITING_BYTES });
  destination.on('error', () => {}); // there is nowhere to report it
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
