-- Seats in sessions. They are counted under the lock of the session's row, so that the last seat is given once.

-- True when the person may take seats in the event, as `canRegister` decides for their own request.
create or replace function may_take_seat(event text, person uuid) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from users u join entries x on x.id = event left join products p on p.entry_id = event
    where u.id = person and u.erased_at is null and u.role <> 'inactive' and u.email_proven_at is not null
      and x.status = 'published'
      and (u.role = 'administrator' or is_granted(person, event) or p.can_join in ('public', 'authenticated')
        or p.can_join = 'verified' and u.role = 'public-servant'));
end $$;

-- Gives free seats to the waiting list, in order, passing over those who may not take seats by now; who was promoted is notified by the services. The caller may be an erasure that holds the row of a waiting person:
-- such rows are skipped, because waiting for them under the lock of the session would deadlock.
create or replace function fill_seats(session uuid) returns void language plpgsql as $$
declare
  its_event text;
  its_start timestamptz;
  free bigint;
begin
  select s.event_id, s.starts_at, coalesce(s.capacity, e.capacity) into its_event, its_start, free
  from event_sessions s join events e on e.id = s.event_id
  where s.id = session and s.cancelled_at is null and s.ends_at > now() for update of s;
  if not found then
    return;
  end if;
  free := free - (select count(*) from event_registrations r where r.session_id = session and r.status = 'seat');
  with next as materialized (
    select w.user_id from event_registrations w where w.session_id = session and w.status = 'waiting'
      and may_take_seat(its_event, w.user_id)
    order by w.created_at, w.user_id limit case when free is not null then greatest(free, 0) end for update skip locked)
  update event_registrations r set status = 'seat', promoted_at = now(),
    reminded_of = case when its_start < now() + interval '1 day' then its_start end
  from next where r.session_id = session and r.user_id = next.user_id;
end $$;

-- Registers a person. The status is `closed` for a session that has ended or was cancelled. `is_new`: there was no
-- registration before.
create or replace function take_seat(session uuid, person uuid, out given text, out is_new boolean, out waiting_place integer)
language plpgsql as $$
declare
  joined timestamptz;
  its_start timestamptz;
  seats integer;
begin
  select s.starts_at, coalesce(s.capacity, e.capacity) into its_start, seats
  from event_sessions s join events e on e.id = s.event_id
  where s.id = session and s.cancelled_at is null and s.ends_at > now() for update of s;
  if not found then
    given := 'closed';
    return;
  end if;
  insert into event_registrations as r (session_id, user_id, status, reminded_of)
  select session, person,
    case when seats is null or seats > (select count(*) from event_registrations c
      where c.session_id = session and c.status = 'seat') then 'seat' else 'waiting' end,
    case when its_start < now() + interval '1 day' then its_start end
  on conflict do nothing returning r.status into given;
  is_new := given is not null;
  select r.status, r.created_at into given, joined
  from event_registrations r where r.session_id = session and r.user_id = person;
  if given = 'waiting' then
    waiting_place := (select count(*) from event_registrations w where w.session_id = session and w.status = 'waiting'
      and (w.created_at, w.user_id) <= (joined, person));
  end if;
end $$;

-- Ends a registration. Answers whether there was one, and `closed` once the session has ended.
create or replace function leave_seat(session uuid, person uuid) returns text language plpgsql as $$
begin
  perform from event_sessions s where s.id = session and s.ends_at > now() for update;
  if not found then
    return 'closed';
  end if;
  delete from event_registrations r where r.session_id = session and r.user_id = person;
  return case when found then 'left' else 'none' end;
end $$;

-- A seat that becomes free goes to the waiting list, also when its holder is erased.
create or replace function refill_seats() returns trigger language plpgsql as $$
begin
  perform fill_seats(old.session_id);
  return null;
end $$;
create or replace trigger event_registrations_refill after delete on event_registrations
  for each row when (old.status = 'seat') execute function refill_seats();

create or replace trigger former_slug_event after update of slug on editorials
  for each row when (old.slug <> new.slug and new.kind = 'event') execute function keep_former_slug('event', 'id');
