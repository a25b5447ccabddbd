-- What moderators decide about what others wrote, what its author is told of it, and the appeal against it.

-- How a community is kept: its rules for everybody to read, and how much one person may write.
create table community_settings (
  community_id uuid primary key references communities on delete cascade,
  locale text not null,                   -- of the rules
  rules text[] not null default '{}',     -- as they were written, Markdown
  rules_html text[] not null default '{}', -- rendered from it
  slow_mode_seconds integer not null default 0 check (slow_mode_seconds between 0 and 86400),
  posts_per_day integer check (posts_per_day between 1 and 1000), -- of one person; null: as many as they like
  updated_at timestamptz not null default now()
);

-- When somebody last wrote in a community that limits it, and how many posts they began that day (UTC).
create table community_turns (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  last_at timestamptz not null,
  day date not null,
  post_count integer not null,
  primary key (community_id, user_id)
);
create index community_turns_last on community_turns (last_at);
create trigger refuse_erased after insert on community_turns for each row execute function refuse_erased();

-- Seconds somebody has to wait before they may write in a community again; 0 when they may. Those who moderate wait for
-- nothing.
create function wait_in_community(place uuid, person uuid, is_post boolean) returns integer
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

-- Holds everybody to the pace of a community, in the transaction that writes: of twenty posts at once the row of the
-- turn lets one through, and each of the others sees it taken.
create function take_turn() returns trigger language plpgsql as $$
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
create trigger activities_take_turn after insert on activities
  for each row when (new.community_id is not null and is_news(new.created_at)) execute function take_turn();
create trigger reactions_take_turn after insert on reactions
  for each row when (new.kind = 'reply' and is_news(new.created_at)) execute function take_turn();

alter table content_reports add column rule smallint;  -- the number of the rule of the community it is said to break

-- Who looks at a case, so that no two decide it at once. Over after half an hour.
create table moderation_claims (
  object_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  until timestamptz not null
);
create index moderation_claims_user on moderation_claims (user_id);
create trigger refuse_erased after insert on moderation_claims for each row execute function refuse_erased();

-- What was removed by somebody else than its author: the statement its author gets, and their appeal.
create table moderation_decisions (
  id uuid primary key,
  community_id uuid references communities on delete cascade, -- null: under a lesson, or on a profile
  kind text not null check (kind in ('activity', 'reaction')),
  object_id uuid not null,                -- the activity, or a reply to it, whose row may be gone
  activity_id uuid not null references activities on delete cascade,
  author_id uuid not null references users, -- an erased person keeps a nameless row
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  reason text not null default 'other' check (reason in ('insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other')),
  note text,
  rule smallint,                          -- its number then
  rule_html text,                         -- and what it said
  by_report boolean not null default false,
  held jsonb,                             -- the row as it was, for the appeal; goes after half a year and with the person
  appeal_text text,
  appealed_at timestamptz,
  outcome text check (outcome in ('upheld', 'reversed')),
  outcome_note text,
  outcome_by uuid,
  outcome_at timestamptz,
  is_restored boolean,                    -- of a reversal: whether what was removed could be put back
  check ((outcome is null) = (outcome_at is null) and (outcome is null or appealed_at is not null))
);
create index moderation_decisions_author on moderation_decisions (author_id, decided_at desc);
create index moderation_decisions_place on moderation_decisions (community_id, decided_at desc);
create index moderation_decisions_time on moderation_decisions (decided_at desc, id);
create index moderation_decisions_object on moderation_decisions (object_id);
create index moderation_decisions_activity on moderation_decisions (activity_id);
create index moderation_decisions_appeals on moderation_decisions (appealed_at) where appealed_at is not null and outcome is null;
create index content_reports_open_all on content_reports (created_at) where status = 'open';
create index content_reports_decided on content_reports (decided_at desc) where status <> 'open';
create index content_reports_created on content_reports (created_at);
create index audit_log_community on audit_log ((detail ->> 'communityId'), created_at desc, id desc)
  where detail ->> 'communityId' is not null;

-- The likes of a reply whose row went when it was removed.
create table moderation_held_likes (
  id uuid primary key,                    -- of the like
  decision_id uuid not null references moderation_decisions on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null
);
create index moderation_held_likes_decision on moderation_held_likes (decision_id);
create index moderation_held_likes_user on moderation_held_likes (user_id);
create trigger refuse_erased after insert on moderation_held_likes for each row execute function refuse_erased();

-- Nobody is told of an appeal of somebody who is erased.
create or replace function refuse_erased() returns trigger language plpgsql as $$
declare
  person uuid;
  is_erased boolean;
begin
  if tg_table_name in ('activities', 'articles', 'moderation_decisions') then
    person := new.author_id;
  elsif tg_table_name = 'referrals' then
    person := new.referrer_id;
  elsif tg_table_name = 'idempotency_keys' then
    person := case when new.caller ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then new.caller::uuid end;
  else
    person := new.user_id;
  end if;
  select u.erased_at is not null into is_erased from users u where u.id = person for key share;
  if is_erased then
    raise exception 'the person is erased' using errcode = 'OF001';
  end if;
  return null;
end $$;
create trigger refuse_erased after update of appeal_text on moderation_decisions
  for each row when (new.appeal_text is not null) execute function refuse_erased();

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome'));

-- What is put back was told of when it was written.
create or replace function notify_person(person uuid, what text, object uuid, activity uuid default null, since uuid default null)
returns void language sql as $$
  insert into notifications (id, user_id, event, object_id, activity_id, since_id)
  select new_id(), u.id, what, object, activity, since from users u
  where u.id = person and u.erased_at is null and u.role <> 'inactive'
    and coalesce(current_setting('officium.restoring', true), '') <> 'on'
  on conflict (user_id, event, object_id) where read_at is null do update set updated_at = now()
  where notifications.updated_at < now() - interval '1 minute'
$$;

-- Notes that somebody's text was removed by another person, and tells its author; its open reports end with it. Of an
-- author who is erased nothing is kept and nobody is told. Answers the id of the decision.
create function record_removal(what text, object uuid, activity uuid, place uuid, author uuid, by_whom uuid, as_it_was jsonb)
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

create function record_activity_removal() returns trigger language plpgsql as $$
begin
  perform record_removal('activity', new.id, new.id, new.community_id, new.author_id, new.deleted_by,
    jsonb_build_object('title', new.title, 'body', new.body, 'body_html', new.body_html,
      'body_html_map', new.body_html_map, 'locale', new.locale, 'mentioned', new.mentioned, 'created_at', new.created_at));
  return null;
end $$;
create trigger activities_removed after update of deleted_at on activities
  for each row when (old.deleted_at is null and new.deleted_at is not null and new.deleted_by <> new.author_id)
  execute function record_activity_removal();

-- Who reported is told what became of it.
create function notify_of_report() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, 'report_outcome', new.id, new.activity_id);
  return null;
end $$;
create trigger content_reports_notify after update of status on content_reports
  for each row when (old.status = 'open' and new.status <> 'open') execute function notify_of_report();

-- A reply with replies leaves an empty row in its place, which goes with the last of them.
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

  -- A reply that somebody else takes away is kept for its author's appeal, with its likes, which go with its row.
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
      lost := case old.kind when 'like' then 1 else 2 end;
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

-- The locks are those of deleting, in its order: the activity, then its community and categories.
create function restore_activity(old_id uuid) returns boolean
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
    update communities set activity_count = activity_count + 1 where id = a.community_id;
    insert into community_categories as cc (community_id, category, activity_count)
    select a.community_id, category, 1 from unnest(a.categories) category
    on conflict (community_id, category) do update set activity_count = cc.activity_count + 1;
    -- Search left its replies out with it.
    update reactions set body_html = body_html where activity_id = old_id and kind = 'reply' and deleted_at is null;
  end if;
  return true;
end $$;

create function restore_reply(d moderation_decisions) returns boolean
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
  -- Its row is still there where others had replied to it.
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


-- Puts back what a decision removed, with all that is counted about it; nobody is told again. False where it has no
-- place any more: the post, the community or what was replied to is gone, or the text is.
create function restore_removed(decision uuid) returns boolean
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

create function notify_of_outcome() returns trigger language plpgsql as $$
begin
  perform notify_person(new.author_id, 'moderation', new.id, new.activity_id);
  return null;
end $$;
create trigger moderation_decisions_notify after update of outcome on moderation_decisions
  for each row when (old.outcome is null and new.outcome is not null) execute function notify_of_outcome();
