import type pg from 'pg';

/**
 * Fills tables without their triggers, references and indexes, then rebuilds the indexes, which also verifies uniqueness.
 * Needs a superuser. The tables stay unlogged, which does not change the cost of reads.
 */
export async function fillBare(
  client: pg.ClientBase,
  { unlogged, logged }: { unlogged: string[]; logged: string[] },
  work: () => Promise<void>,
  log: (line: string) => void,
): Promise<void> {
  const tables = [...unlogged, ...logged];
  for (const table of unlogged) await client.query(`alter table ${table} set unlogged`);
  await setReady(client, tables, false);
  await client.query('set session_replication_role = replica');
  await work();
  await client.query('set session_replication_role = origin');
  for (const table of tables) {
    log(`indexes of ${table}`);
    await client.query(`reindex table ${table}`);
  }
}

/** An index that is not ready is neither written nor read; REINDEX makes it ready again. */
async function setReady(client: pg.ClientBase, tables: string[], isReady: boolean): Promise<void> {
  await client.query(
    `update pg_index set indisready = $2, indisvalid = $2 where indrelid = any(select unnest($1::text[])::regclass)`,
    [tables, isReady],
  );
}
