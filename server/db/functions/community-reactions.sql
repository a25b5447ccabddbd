-- Reactions to an activity change one after another, under the lock of its row, because each updates the activity's
-- counters. As functions they hold the lock for one statement only.

-- Adds a reaction, or finds an existing like or pin, and returns it. `outcome`: done; gone (the target no longer
-- exists); unfit (the target is no reply); deep (a reply on a fourth level).
create or replace function add_reaction(
  new_id uuid, on_activity uuid, on_reaction uuid, reactor uuid, new_kind text, new_body text, new_html text,
  new_locale text, data jsonb, mentions uuid[], made_at timestamptz,
  out outcome text, out reaction_id uuid, out reaction reactions)
language plpgsql as $$
declare
  author uuid;
  parent_kind text;
  level smallint := 1;
  is_direct boolean := on_reaction is null;
  seen integer;
  gained integer := 0;
begin
  select a.author_id into author from activities a where a.id = on_activity and a.deleted_at is null for no key update;
  if not found then
    outcome := 'gone';
    return;
  end if;
  if not is_direct then
    select r.depth + 1, r.kind into level, parent_kind from reactions r
    where r.id = on_reaction and r.activity_id = on_activity and r.deleted_at is null;
    if not found then
      outcome := 'gone';
      return;
    elsif parent_kind <> 'reply' then
      outcome := 'unfit';
      return;
    elsif level > 3 and new_kind = 'reply' then
      outcome := 'deep';
      return;
    end if;
  end if;
  outcome := 'done';

  insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, locale, additional_data,
    mentioned, created_at, updated_at)
  values (new_id, on_activity, on_reaction, level, new_kind, reactor, new_body, new_html, new_locale, data, mentions,
    coalesce(made_at, now()), coalesce(made_at, now()))
  on conflict do nothing
  returning * into reaction;
  if not found then
    -- Two statements, so that each uses an index.
    if is_direct then
      select r.* into reaction from reactions r
      where r.activity_id = on_activity and r.parent_id is null and r.kind = new_kind and r.user_id = reactor
        and r.kind <> 'reply';
    else
      select r.* into reaction from reactions r
      where r.parent_id = on_reaction and r.kind = new_kind and r.user_id = reactor and r.kind <> 'reply';
    end if;
    reaction_id := reaction.id;
    return;
  end if;
  reaction_id := new_id;

  if not is_direct then
    update reactions set like_count = like_count + (new_kind = 'like')::int,
      reply_count = reply_count + (new_kind = 'reply')::int
    where id = on_reaction;
  end if;
  -- A reply at any depth counts as taking part; the author of the activity does not count.
  if reactor <> author and (new_kind = 'reply' or new_kind = 'like' and is_direct) then
    insert into activity_people as p (activity_id, user_id, kind, times) values (on_activity, reactor, new_kind, 1)
    on conflict (activity_id, user_id, kind) do update set times = p.times + 1
    returning times into seen;
    gained := case when seen > 1 then 0 else activity_points(new_kind) end;
  end if;
  if is_direct or gained > 0 then
    update activities set
      like_count = like_count + (is_direct and new_kind = 'like')::int,
      reply_count = reply_count + (is_direct and new_kind = 'reply')::int,
      pin_count = pin_count + (is_direct and new_kind = 'pin')::int,
      people_points = people_points + gained,
      hot = activity_hot(people_points + gained, created_at)
    where id = on_activity;
  end if;
end $$;

-- Deletes a reaction. A reply with replies leaves an empty row, which is deleted with the last of them.
create or replace function delete_reaction(old_id uuid, by_whom uuid, out outcome text)
language plpgsql as $$
declare
  old reactions;
  emptied uuid;
  is_direct boolean;
  lost integer := 0;
  decision uuid;
begin
  perform from activities a where a.id = (select r.activity_id from reactions r where r.id = old_id)
    and a.deleted_at is null for no key update;
  if not found then
    outcome := 'gone';
    return;
  end if;
  select r.* into old from reactions r where r.id = old_id and r.deleted_at is null;
  if not found then
    outcome := 'gone';
    return;
  end if;
  outcome := 'done';
  is_direct := old.parent_id is null;

  -- A reply removed by another person is kept for its author's appeal, with its likes, which are deleted with its row.
  if old.kind = 'reply' and by_whom <> old.user_id then
    decision := record_removal('reaction', old.id, old.activity_id,
      (select a.community_id from activities a where a.id = old.activity_id), old.user_id, by_whom, to_jsonb(old));
    insert into moderation_held_likes (id, decision_id, user_id, created_at)
    select r.id, decision, r.user_id, r.created_at from reactions r join users u on u.id = r.user_id and u.erased_at is null
    where r.parent_id = old_id and r.kind = 'like';
  end if;

  if exists (select from reactions r where r.parent_id = old_id and r.kind = 'reply') then
    update reactions set deleted_at = now(), deleted_by = by_whom, body = null, body_html = null,
      additional_data = '{}', mentioned = '{}'
    where id = old_id;
  else
    delete from reactions where id = old_id;
  end if;
  if not is_direct then
    update reactions set like_count = like_count - (old.kind = 'like')::int,
      reply_count = reply_count - (old.kind = 'reply')::int
    where id = old.parent_id;
  end if;
  emptied := case when old.kind = 'reply' then old.parent_id end;
  while emptied is not null loop
    delete from reactions r where r.id = emptied and r.deleted_at is not null
      and not exists (select from reactions child where child.parent_id = emptied and child.kind = 'reply')
    returning r.parent_id into emptied;
  end loop;

  if old.kind = 'reply' or old.kind = 'like' and is_direct then
    delete from activity_people
    where activity_id = old.activity_id and user_id = old.user_id and kind = old.kind and times = 1;
    if found then
      lost := activity_points(old.kind);
    else
      update activity_people set times = times - 1
      where activity_id = old.activity_id and user_id = old.user_id and kind = old.kind;
    end if;
  end if;
  if is_direct or lost > 0 then
    update activities set
      like_count = like_count - (is_direct and old.kind = 'like')::int,
      reply_count = reply_count - (is_direct and old.kind = 'reply')::int,
      pin_count = pin_count - (is_direct and old.kind = 'pin')::int,
      people_points = people_points - lost,
      hot = activity_hot(people_points - lost, created_at)
    where id = old.activity_id;
  end if;
end $$;
