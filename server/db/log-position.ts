// Raw SQL: functions about the server's log.
import { sql } from 'kysely';
import type { Db } from './client.ts';

/** A position in the primary's log in bytes: `pg_lsn` as a number. */
export type Position = number;

/** At the end of a page the primary counts the next page's header, which a replica sees only with the next record. */
const PAGE_BYTES = 8192;
const HEADER_BYTES = 24;

export async function askPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    select (pg_current_wal_insert_lsn() - '0/0')::int8 as position`.execute(db);
  const { position } = rows[0]!; // a function of one row
  return position % PAGE_BYTES === HEADER_BYTES ? position - HEADER_BYTES : position;
}

export async function askSystem(db: Db): Promise<string> {
  const { rows } = await sql<{ system: string }>`
    select system_identifier::text as system from pg_control_system()`.execute(db);
  return rows[0]!.system; // a function of one row
}

export async function askReplica(db: Db): Promise<{ position: Position | null; system: string }> {
  const { rows } = await sql<{ position: Position | null; system: string }>`
    select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::int8 end as position,
           system_identifier::text as system
    from pg_control_system()`.execute(db);
  return rows[0]!; // a function of one row
}
