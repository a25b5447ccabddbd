import { sql } from 'kysely';
import { inTransaction, type Db } from '#server/db/client.ts';

/** Where the chain of the audit log ends: how many entries it has, and the hash over all of them, in hexadecimal. */
export type ChainEnd = { position: number; hash: string };

/** Chains what was noted since, at most `most` entries; answers the end of the chain. */
export async function chainAuditLog(db: Db, most = 10_000): Promise<ChainEnd> {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<ChainEnd>`
      select position, encode(hash, 'hex') as hash from chain_audit_log(${most})`.execute(trx);
    return rows[0]!; // a function answers one row
  });
}

/** How many entries do not follow from the one before: none, unless somebody wrote past the triggers. Reads all of it. */
export async function countBrokenLinks(db: Db): Promise<number> {
  const { rows } = await sql<{ broken: number }>`
    select count(*)::int as broken from (
      select l.position is distinct from row_number() over w as is_moved,
        l.hash is distinct from audit_hash(coalesce(lag(l.hash) over w, ''::bytea), l) as is_other
      from audit_log l where l.position is not null window w as (order by l.position)) links
    where is_moved or is_other`.execute(db);
  return rows[0]?.broken ?? 0;
}
