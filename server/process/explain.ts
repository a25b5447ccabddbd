import { ConfigError } from '#server/errors.ts';
import { EmbeddedError } from '#server/db/embedded/error.ts';
import { isUnavailable } from '#server/http/errors.ts';

/** What stopped a start or a command, for a person: one line for what they can put right, else the error with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof EmbeddedError) return error.message;
  return isUnavailable(error) ? `The database is not available: ${error.message}` : (error.stack ?? error.message);
}
