// Raw SQL: a function of the database, and window functions over the hash of whole rows.
import { sql } from 'kysely';
import { inTransaction, type Db } from '#server/db/client.ts';

/** The end of the audit log's chain: the number of entries and the hash over all of them, in hexadecimal. */
export type ChainEnd = { position: number; hash: string };

/** Chains new entries, at most `most`; returns the end of the chain. */
export async function chainAuditLog(db: Db, most = 10_000): Promise<ChainEnd> {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<ChainEnd>`
      select position, encode(hash, 'hex') as hash from chain_audit_log(${most})`.execute(trx);
    return rows[0]!; // a function returns one row
  });
}

/**
 * The number of entries that do not match their predecessor: zero unless the triggers were bypassed. Reads the whole
 * log.
 */
export async function countBrokenLinks(db: Db): Promise<number> {
  const { rows } = await sql<{ broken: number }>`
    select count(*)::int as broken from (
      select l.position is distinct from row_number() over w as is_moved,
        l.hash is distinct from audit_hash(coalesce(lag(l.hash) over w, ''::bytea), l) as is_other
      from audit_log l where l.position is not null window w as (order by l.position)) links
    where is_moved or is_other`.execute(db);
  return rows[0]?.broken ?? 0;
}
