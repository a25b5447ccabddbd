-- Devices stop showing notifications when their session is ended: by signing out, elsewhere, or with the account. A
-- session that ran out does not end them, or no device would show anything after a night.
create or replace function end_push_device() returns trigger language plpgsql as $$
begin
  if old.expires_at > now() and old.last_seen_at > now() - interval '12 hours' then
    delete from push_devices where session_id = old.id;
  else
    update push_devices set session_id = null where session_id = old.id;
  end if;
  return null;
end $$;
create or replace trigger end_push_device after delete on sessions for each row execute function end_push_device();
