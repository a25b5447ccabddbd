import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';

/** SQLSTATEs of a deadlock and of a serialization failure, after which a retry succeeds. */
const LOST = ['40P01', '40001'];
const TRIES = 3;

/** Runs `work`, and retries it after a deadlock or serialization failure, three runs in all; throws the last error. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown }; // PostgreSQL errors have a code
      if (tried === TRIES || !LOST.includes(String(code))) throw error;
      await new Promise((later) => setTimeout(later, Math.random() * 50 * tried));
    }
  }
}

/** Retries single statements outside a transaction. */
class RetryingDriver extends PostgresDriver {
  #known = new WeakSet<DatabaseConnection>();
  #inTransaction = new WeakSet<DatabaseConnection>();

  override async acquireConnection(...given: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...given);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = async (...asked) =>
        await (this.#inTransaction.has(connection) ? execute(...asked) : withRetries(() => execute(...asked)));
    }
    return connection;
  }

  override async beginTransaction(...given: Parameters<PostgresDriver['beginTransaction']>) {
    this.#inTransaction.add(given[0]);
    await super.beginTransaction(...given);
  }

  override async releaseConnection(...given: Parameters<PostgresDriver['releaseConnection']>) {
    this.#inTransaction.delete(given[0]);
    await super.releaseConnection(...given);
  }
}

export class RetryingDialect extends PostgresDialect {
  #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new RetryingDriver(this.#config);
  }
}
