// Raw SQL: a setting of the connection.
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { ConfigError } from '../errors.ts';
import { type Db, TIMEOUTS } from './client.ts';

/**
 * A pooler accepts no session settings, so it must set the timeouts itself. Without them a statement could run for
 * ever.
 */
export async function warnWithoutTimeout(db: Db, log: Logger): Promise<void> {
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
    .execute(db)
    .catch((error: Error) => {
      throw new ConfigError(`DATABASE_URL: cannot connect to the database: ${error.message}`, { cause: error });
    });
  if (rows[0]?.limit !== '0') return;
  const commands = Object.entries(TIMEOUTS).map(([name, ms]) => `set ${name} = ${ms}`);
  log.warn(`the pooler sets no timeouts: give its database connect_query='${commands.join('; ')}'`);
}
