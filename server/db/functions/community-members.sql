-- Members of communities, and the limits on how often they write.

-- Deletes an expired membership. Requires the lock of the community, which counts its members.
create or replace function end_membership(place uuid, person uuid) returns void language plpgsql as $$
begin
  delete from community_members m where m.community_id = place and m.user_id = person and m.expires_on <= now();
  if found then
    update communities set member_count = member_count - 1 where id = place;
  end if;
end $$;

-- Joins, or asks to join, if the membership still has the status `former` (null: none); returns whether it had. An
-- expired membership counts as none. As a function it holds the community's lock for one statement only.
create or replace function join_community(joined uuid, person uuid, former text, wanted text) returns boolean
language plpgsql as $$
begin
  perform from communities c where c.id = joined for no key update;
  perform end_membership(joined, person);
  if former is null then
    insert into community_members (community_id, user_id, status) values (joined, person, wanted) on conflict do nothing;
  else
    update community_members set status = wanted, joined_at = now()
    where community_id = joined and user_id = person and status = former;
  end if;
  if not found then
    return false;
  end if;
  if wanted = 'active' then
    update communities set member_count = member_count + 1 where id = joined;
  end if;
  return true;
end $$;

-- Removes the expiry of a membership when its user becomes an owner or a moderator.
create or replace function stay_for_good() returns trigger language plpgsql as $$
begin
  new.expires_on := null;
  return new;
end $$;
create or replace trigger stay_for_good before insert or update on community_members
  for each row when (new.expires_on is not null and (new.role = 'owner' or new.level = 3)) execute function stay_for_good();

-- The seconds a user must wait before writing in a community again; 0: none. Moderators never wait.
create or replace function wait_in_community(place uuid, person uuid, is_post boolean) returns integer
language sql volatile as $$
  select coalesce(max(ceil(greatest(0,
    extract(epoch from t.last_at + make_interval(secs => s.slow_mode_seconds) - clock_timestamp()),
    case when is_post and t.day = (clock_timestamp() at time zone 'UTC')::date and t.post_count >= s.posts_per_day
      then extract(epoch from (t.day + 1)::timestamp at time zone 'UTC' - clock_timestamp()) end))), 0)::integer
  from community_settings s join community_turns t on t.community_id = s.community_id and t.user_id = person
  where s.community_id = place
    and not exists (select from users u where u.id = person and u.role = 'administrator')
    and not exists (
      select from community_members m where m.community_id = place and m.user_id = person and m.status = 'active'
        and (m.role = 'owner' or m.level = 3))
$$;

-- Enforces a community's slow mode and daily limit, in the writing transaction: of twenty concurrent posts the row of
-- the turn admits one, and the others find it taken. Restored content (officium.restoring) takes no turn.
create or replace function take_turn() returns trigger language plpgsql as $$
declare
  place uuid;
  person uuid;
  is_post boolean := tg_table_name = 'activities';
  wait integer;
begin
  if current_setting('officium.restoring', true) = 'on' then
    return null;
  end if;
  if is_post then
    place := new.community_id;
    person := new.author_id;
  else
    select a.community_id into place from activities a where a.id = new.activity_id;
    person := new.user_id;
  end if;
  if not exists (select from community_settings s where s.community_id = place
      and (s.slow_mode_seconds > 0 or s.posts_per_day is not null)) then
    return null;
  end if;
  insert into community_turns (community_id, user_id, last_at, day, post_count)
  values (place, person, 'epoch', 'epoch', 0) on conflict do nothing;
  perform from community_turns t where t.community_id = place and t.user_id = person for update;
  wait := wait_in_community(place, person, is_post);
  if wait > 0 then
    raise exception 'too early' using errcode = 'OF002', detail = wait::text;
  end if;
  update community_turns t set last_at = clock_timestamp(), day = (clock_timestamp() at time zone 'UTC')::date,
    post_count = is_post::int + case when t.day = (clock_timestamp() at time zone 'UTC')::date then t.post_count else 0 end
  where t.community_id = place and t.user_id = person;
  return null;
end $$;
create or replace trigger activities_take_turn after insert on activities
  for each row when (new.community_id is not null and is_news(new.created_at)) execute function take_turn();
create or replace trigger reactions_take_turn after insert on reactions
  for each row when (new.kind = 'reply' and is_news(new.created_at)) execute function take_turn();
