import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';

/** SQLSTATEs of a deadlock and of a serialisation failure: what lost to another transaction will do when done again. */
const LOST = ['40P01', '40001'];
const TRIES = 3;

/** Does the work, and again when it lost to another transaction, three times in all; throws what it threw last. */
export async function untilWon<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown }; // PostgreSQL's errors have one
      if (tried === TRIES || !LOST.includes(String(code))) throw error;
      await new Promise((later) => setTimeout(later, Math.random() * 50 * tried));
    }
  }
}

/** A statement that is a transaction of its own is done again when it lost to another one. */
class PersistentDriver extends PostgresDriver {
  #known = new WeakSet<DatabaseConnection>();
  #inTransaction = new WeakSet<DatabaseConnection>();

  override async acquireConnection(...given: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...given);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = async (...asked) =>
        await (this.#inTransaction.has(connection) ? execute(...asked) : untilWon(() => execute(...asked)));
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

export class PersistentDialect extends PostgresDialect {
  #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new PersistentDriver(this.#config);
  }
}
