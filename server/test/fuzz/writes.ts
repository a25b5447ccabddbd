import type { TestApp } from '../app.ts';

/**
 * Writes that refused requests may leave: an administrator's entry into a closed community, attempts for a code,
 * answers for an Idempotency-Key, a session's last use. (`rate_limits` is off in tests.)
 */
export const ALLOWED_ON_REFUSAL = [
  'INSERT audit_log',
  'UPDATE challenges',
  'INSERT idempotency_keys',
  'UPDATE idempotency_keys',
  'UPDATE sessions',
];

/**
 * Writes that a repeated request may make beside those: an uploaded file is stored before the operation begins. One that
 * is there renews its age, and the second copy of another is deleted by the sweep of unused files.
 */
export const ALLOWED_ON_REPETITION = [
  ...ALLOWED_ON_REFUSAL,
  'INSERT incoming_files',
  'UPDATE incoming_files',
  'DELETE incoming_files',
  'INSERT stored_files',
  'UPDATE stored_files',
];

/**
 * Records every written row by triggers, in the transaction that writes it, so that rolled back writes are not
 * recorded. Jobs count; the job queue's bookkeeping does not.
 */
export async function noteWrites({ ctx: { pool } }: TestApp): Promise<void> {
  await pool.query(`
    create table noted_writes (
      id bigint generated always as identity, relation regclass not null, operation text not null, old_row jsonb, new_row jsonb);
    create function note_write() returns trigger language plpgsql as $$
    begin
      insert into noted_writes (relation, operation, old_row, new_row) values (tg_relid, tg_op,
        case when tg_op in ('UPDATE', 'DELETE') then to_jsonb(old) end,
        case when tg_op in ('UPDATE', 'INSERT') then to_jsonb(new) end);
      return null;
    end $$;
    create function forbid_truncate() returns trigger language plpgsql as $$
    begin
      raise 'truncated %', tg_relid::regclass;
    end $$;
    create function undo_writes() returns setof text language plpgsql as $$
    declare
      noted noted_writes;
      columns text;
    begin
      set local session_replication_role = replica; -- neither triggers nor foreign keys
      for noted in select * from noted_writes order by id desc loop
        if noted.new_row is not null then
          -- One: some tables have rows that are alike.
          execute format('delete from %s where ctid = (select ctid from %1$s t where to_jsonb(t) = $1 limit 1)',
            noted.relation) using noted.new_row;
        end if;
        if noted.old_row is not null then
          select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = noted.relation and attnum > 0 and not attisdropped and attgenerated = '';
          execute format('insert into %s (%s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1)',
            noted.relation, columns) using noted.old_row;
        end if;
      end loop;
      return query with gone as (delete from noted_writes returning operation || ' ' || relation as write)
        select distinct write from gone order by write;
    end $$;
    do $$
    declare named regclass;
    begin
      for named in
        select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition
          and ((n.nspname = 'public' and c.relname not in ('noted_writes', 'rate_limits', 'migrations', 'function_files'))
               or c.oid = 'jobs.job'::regclass)
      loop
        execute format('create trigger note_write after insert or update or delete on %s for each row execute function note_write()', named);
        execute format('create trigger forbid_truncate before truncate on %s for each statement execute function forbid_truncate()', named);
      end loop;
    end $$`);
}

/** The writes since the last undo, row by row, in order. */
export async function readWrites({ ctx: { pool } }: TestApp): Promise<string[]> {
  const { rows } = await pool.query<{ write: string }>(
    `select operation || ' ' || relation as write from noted_writes order by id`,
  );
  return rows.map(({ write }) => write);
}

/** Undoes the writes since the last call and returns them: `<operation> <table>`. */
export async function undoWrites({ ctx: { pool } }: TestApp): Promise<string[]> {
  const { rows } = await pool.query<{ write: string }>('select undo_writes() as write');
  return rows.map(({ write }) => write);
}
