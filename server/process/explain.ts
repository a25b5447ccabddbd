import { ConfigError } from '#server/errors.ts';
import { EmbeddedError } from '#server/db/embedded/error.ts';
import { isUnavailable } from '#server/http/errors.ts';

/** An error of a start or a command, for the operator: one line for a mistake they can correct, else the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedError) return error.message;
  return isUnavailable(error) ? `The database is not available: ${error.message}` : (error.stack ?? error.message);
}
