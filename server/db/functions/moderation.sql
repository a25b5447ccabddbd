-- Removal of what others wrote, and putting it back after an appeal.

-- Records that somebody's text was removed by another person, notifies its author and closes its open reports. Nothing is
-- kept of an author who is erased. Answers the id of the decision.
create or replace function record_removal(what text, object uuid, activity uuid, place uuid, author uuid, by_whom uuid, as_it_was jsonb)
returns uuid language plpgsql as $$
declare
  decision uuid := new_id();
  is_erased boolean;
  ended integer;
begin
  select u.erased_at is not null into is_erased from users u where u.id = author for key share;
  insert into moderation_decisions (id, community_id, kind, object_id, activity_id, author_id, decided_by, held)
  values (decision, place, what, object, activity, author, by_whom, case when not is_erased then as_it_was end);
  update content_reports set status = 'removed', decided_by = by_whom, decided_at = now(), decision_reason = 'other'
  where object_id = object and status = 'open';
  get diagnostics ended = row_count;
  update moderation_decisions set by_report = ended > 0 where id = decision and ended > 0;
  delete from moderation_claims where object_id = object;
  perform notify_person(author, 'moderation', decision, activity);
  return decision;
end $$;

-- Records the removal of a post.
create or replace function record_activity_removal() returns trigger language plpgsql as $$
begin
  perform record_removal('activity', new.id, new.id, new.community_id, new.author_id, new.deleted_by,
    jsonb_build_object('title', new.title, 'body', new.body, 'body_html', new.body_html,
      'body_html_map', new.body_html_map, 'locale', new.locale, 'mentioned', new.mentioned, 'created_at', new.created_at));
  return null;
end $$;
create or replace trigger activities_removed after update of deleted_at on activities
  for each row when (old.deleted_at is null and new.deleted_at is not null and new.deleted_by <> new.author_id)
  execute function record_activity_removal();

-- Puts a post back. The locks are those of deleting, in the same order.
create or replace function restore_activity(old_id uuid) returns boolean
language plpgsql as $$
declare
  a activities;
begin
  update activities set deleted_at = null, deleted_by = null where id = old_id and deleted_at is not null
  returning * into a;
  if not found then
    return false;
  end if;
  if a.community_id is not null then
    -- Removing the post removed its replies from the search index.
    update reactions set body_html = body_html where activity_id = old_id and kind = 'reply' and deleted_at is null;
  end if;
  return true;
end $$;

-- Puts a reply back, with its likes and counters.
create or replace function restore_reply(d moderation_decisions) returns boolean
language plpgsql as $$
declare
  old reactions := jsonb_populate_record(null::reactions, d.held);
  author uuid;
  gained integer := 0;
  seen integer;
  is_direct boolean := old.parent_id is null;
begin
  select a.author_id into author from activities a where a.id = d.activity_id and a.deleted_at is null for no key update;
  if not found or not is_direct and not exists (select from reactions r where r.id = old.parent_id) then
    return false;
  end if;
  -- The row still exists if others had replied to it.
  update reactions set deleted_at = null, deleted_by = null, body = old.body, body_html = old.body_html,
    additional_data = old.additional_data, mentioned = old.mentioned
  where id = old.id and deleted_at is not null;
  if not found then
    if exists (select from reactions r where r.id = old.id) then
      return false;
    end if;
    insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, locale, additional_data,
      mentioned, created_at, updated_at, edited_at)
    values (old.id, old.activity_id, old.parent_id, old.depth, old.kind, old.user_id, old.body, old.body_html, old.locale,
      old.additional_data, old.mentioned, old.created_at, old.updated_at, old.edited_at);
    insert into reactions (id, activity_id, parent_id, depth, kind, user_id, created_at, updated_at)
    select l.id, old.activity_id, old.id, old.depth + 1, 'like', l.user_id, l.created_at, l.created_at
    from moderation_held_likes l where l.decision_id = d.id;
    update reactions set like_count = (select count(*) from reactions l where l.parent_id = old.id and l.kind = 'like')
    where id = old.id;
  end if;
  if not is_direct then
    update reactions set reply_count = reply_count + 1 where id = old.parent_id;
  end if;
  if old.user_id <> author then
    insert into activity_people as p (activity_id, user_id, kind, times) values (old.activity_id, old.user_id, 'reply', 1)
    on conflict (activity_id, user_id, kind) do update set times = p.times + 1
    returning times into seen;
    gained := case when seen > 1 then 0 else 2 end;
  end if;
  if is_direct or gained > 0 then
    update activities set reply_count = reply_count + is_direct::int, people_points = people_points + gained,
      hot = activity_hot(people_points + gained, created_at)
    where id = old.activity_id;
  end if;
  return true;
end $$;

-- Puts back what a decision removed; nobody is notified again. False when the post, the community, the text or what was
-- replied to no longer exists.
create or replace function restore_removed(decision uuid) returns boolean
language plpgsql as $$
declare
  d moderation_decisions;
  is_back boolean;
begin
  select m.* into d from moderation_decisions m where m.id = decision;
  if d.held is null or d.community_id is not null and not exists (
      select from communities c join entries e on e.id = c.entry_id and e.status = 'published' where c.id = d.community_id) then
    return false;
  end if;
  perform set_config('officium.restoring', 'on', true);
  if d.kind = 'activity' then
    is_back := restore_activity(d.object_id);
  else
    is_back := restore_reply(d);
  end if;
  perform set_config('officium.restoring', '', true);
  return is_back;
end $$;
