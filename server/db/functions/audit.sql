-- The audit log: append only, and chained by hashes.

-- Refuses every change of an entry, except that it is chained once.
create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null and new.position is not null
    and to_jsonb(new) - 'position' - 'hash' = to_jsonb(old) - 'position' - 'hash' then
    return new;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create or replace trigger audit_log_no_change before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create or replace trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function audit_log_is_append_only();

-- The hash of an entry, over its content and the hash before it.
create or replace function audit_hash(former bytea, entry audit_log) returns bytea language sql immutable
return sha256(former || convert_to(jsonb_build_array(
  entry.position, entry.id, entry.actor, entry.action, entry.object, entry.detail, entry.request_id,
  extract(epoch from entry.created_at))::text, 'UTF8'));

-- Chains at most `most` new entries and returns the end of the chain. One process at a time.
create or replace function chain_audit_log(most integer, out "position" bigint, out hash bytea)
language plpgsql as $$
declare
  entry audit_log;
begin
  perform pg_advisory_xact_lock(7223105048);
  select l.position, l.hash into "position", hash from audit_log l where l.position is not null
  order by l.position desc limit 1;
  "position" := coalesce("position", 0);
  hash := coalesce(hash, ''::bytea);
  for entry in select * from audit_log l where l.position is null order by l.id limit most loop
    "position" := "position" + 1;
    entry.position := "position";
    hash := audit_hash(hash, entry);
    update audit_log l set position = entry.position, hash = chain_audit_log.hash where l.id = entry.id;
  end loop;
end $$;
