-- What is said in communities, under lessons and on profiles.
alter table communities add column activity_count integer not null default 0 check (activity_count >= 0);

-- Somebody joins, or asks to, whose membership is still what it was when that was decided (`former`; null: none). Answers
-- whether it was. A function, so that the lock of the community, which counts its members, lasts one statement.
create function join_community(joined uuid, person uuid, former text, wanted text) returns boolean
language plpgsql as $$
begin
  perform from communities c where c.id = joined for no key update;
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

create table community_categories (
  community_id uuid not null references communities on delete cascade,
  category text not null,
  activity_count integer not null default 0 check (activity_count >= 0),
  primary key (community_id, category)
);

create table activities (
  id uuid primary key,
  community_id uuid references communities on delete cascade,
  lesson_key uuid references lessons on delete cascade,   -- a lesson discussion
  author_id uuid not null references users,               -- an erased author keeps a nameless row
  verb text not null check (verb in ('post', 'poll', 'lesson')),
  title text,
  body text,                                              -- sanitised source, as the API gives it
  body_html text,                                         -- rendered from it, `{{uuid}}` mentions still in place
  body_map jsonb,                                         -- of a lesson discussion: locale → text
  body_html_map jsonb,                                    -- the same, rendered
  locale text not null default 'en',
  categories text[] not null default '{}',
  additional_data jsonb not null default '{}',
  mentioned uuid[] not null default '{}',
  like_count integer not null default 0 check (like_count >= 0),
  reply_count integer not null default 0 check (reply_count >= 0), -- direct replies that are not deleted
  pin_count integer not null default 0 check (pin_count >= 0),
  people_points integer not null default 0 check (people_points >= 0),
  hot double precision not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid,
  check (num_nonnulls(community_id, lesson_key) <= 1)
);
create index activities_hot on activities (community_id, hot desc, id desc) where deleted_at is null;
create index activities_recent on activities (community_id, (pin_count > 0) desc, id desc) where deleted_at is null;
create index activities_author on activities (author_id, id desc) where deleted_at is null;
create index activities_lesson on activities (lesson_key, id desc) where deleted_at is null and lesson_key is not null;
create index activities_categories on activities using gin (categories) where deleted_at is null;

-- Who gave an activity its points: 1 for a like, 2 for a reply, 3 for a share, once a person and kind, never the author.
create table activity_people (
  activity_id uuid not null references activities on delete cascade,
  user_id uuid not null references users,
  kind text not null check (kind in ('like', 'reply', 'share')),
  times integer not null check (times > 0),
  primary key (activity_id, user_id, kind)
);

create table reactions (
  id uuid primary key,
  activity_id uuid not null references activities on delete cascade,
  parent_id uuid references reactions on delete cascade,
  depth smallint not null,                                -- replies go three levels deep, a like of the third is a fourth
  check (depth between 1 and case kind when 'reply' then 3 else 4 end),
  kind text not null check (kind in ('like', 'pin', 'reply')),
  user_id uuid not null references users,
  body text,
  body_html text,
  locale text not null default 'en',
  additional_data jsonb not null default '{}',
  mentioned uuid[] not null default '{}',
  like_count integer not null default 0 check (like_count >= 0),
  reply_count integer not null default 0 check (reply_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid
);
-- One like and one pin a person and object; a repeated one finds the first.
create unique index reactions_once on reactions (activity_id, user_id, kind) where parent_id is null and kind <> 'reply';
create unique index reactions_once_child on reactions (parent_id, user_id, kind) where parent_id is not null and kind <> 'reply';
create index reactions_page on reactions (activity_id, kind, id) where parent_id is null;
create index reactions_child_page on reactions (parent_id, kind, id) where parent_id is not null;
create index reactions_user on reactions (user_id, id);

-- The score of the live feed: it need not be computed again as time passes, for all sink alike and their order stays.
-- One e-fold of people weighs as much as 75 000 seconds. A moment in the future counts as now.
create function activity_hot(points integer, at timestamptz) returns double precision
language sql stable return ln(1 + points) + extract(epoch from least(at, now())) / 75000;

-- Reactions to an activity are added and taken away one after another, under the lock of its row, for each of them writes
-- the activity's counters. They are functions so that the lock lasts one statement. `outcome`: done; gone (what is
-- reacted to, or the reaction, is not there any more); unfit (it is no reply); deep (a fourth level). A like or pin that
-- is there is found.
create function add_reaction(
  new_id uuid, on_activity uuid, on_reaction uuid, reactor uuid, new_kind text, new_body text, new_html text,
  new_locale text, data jsonb, mentions uuid[], made_at timestamptz, out outcome text, out reaction_id uuid)
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
  on conflict do nothing;
  if not found then
    select r.id into reaction_id from reactions r
    where r.activity_id = on_activity and r.parent_id is not distinct from on_reaction and r.kind = new_kind
      and r.user_id = reactor;
    return;
  end if;
  reaction_id := new_id;

  if not is_direct then
    update reactions set like_count = like_count + (new_kind = 'like')::int,
      reply_count = reply_count + (new_kind = 'reply')::int
    where id = on_reaction;
  end if;
  -- Who replies at any depth takes part; the author of the activity does not count.
  if reactor <> author and (new_kind = 'reply' or new_kind = 'like' and is_direct) then
    insert into activity_people as p (activity_id, user_id, kind, times) values (on_activity, reactor, new_kind, 1)
    on conflict (activity_id, user_id, kind) do update set times = p.times + 1
    returning times into seen;
    gained := case when seen > 1 then 0 when new_kind = 'like' then 1 else 2 end;
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

-- A reply with replies leaves an empty row in its place, which goes with the last of them.
create function delete_reaction(old_id uuid, by_whom uuid, out outcome text)
language plpgsql as $$
declare
  old reactions;
  emptied uuid;
  is_direct boolean;
  lost integer := 0;
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

create table polls (
  id uuid primary key references activities on delete cascade,
  allow_multiple_votes boolean not null default false,
  deadline_at timestamptz,
  hide_participants boolean not null default true,
  number_of_winners integer not null default 1 check (number_of_winners >= 1),
  results_visibility text not null default 'after-voting' check (results_visibility in ('always', 'after-voting')),
  vote_count integer not null default 0 check (vote_count >= 0),
  voter_count integer not null default 0 check (voter_count >= 0)
);

create table poll_options (
  id uuid primary key,
  poll_id uuid not null references polls on delete cascade,
  position smallint not null check (position between 1 and 5),
  body text not null,
  vote_count integer not null default 0 check (vote_count >= 0),
  unique (poll_id, position)
);

create table poll_votes (
  id uuid primary key,
  poll_id uuid not null references polls on delete cascade,
  option_id uuid not null references poll_options on delete cascade,
  user_id uuid not null references users,
  is_only boolean not null,               -- the poll takes one vote a person
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  unique (option_id, user_id)
);
create unique index poll_votes_only on poll_votes (poll_id, user_id) where is_only;
create index poll_votes_user on poll_votes (user_id, poll_id);

-- The votes of a poll change one after another, under the lock of its row, for each of them writes the poll's counters.
-- They are functions so that the lock lasts one statement: a hall full of voters waits for the disk, not for the network
-- too. What is read after the lock, the clock included, is as it stands then. `outcome`: done, closed or gone.
create function cast_vote(new_id uuid, chosen uuid, voter uuid, remark jsonb, out outcome text, out vote_id uuid)
language plpgsql as $$
declare
  poll polls;
  former poll_votes;
  is_first boolean;
begin
  select p.* into poll from polls p join poll_options o on o.poll_id = p.id where o.id = chosen for no key update of p;
  if not exists (select from activities a where a.id = poll.id and a.deleted_at is null) then
    outcome := 'gone';
    return;
  end if;
  if poll.deadline_at <= clock_timestamp() then
    outcome := 'closed';
    return;
  end if;
  outcome := 'done';

  -- The vote for this option, else the only one there may be.
  select v.* into former from poll_votes v
  where v.poll_id = poll.id and v.user_id = voter and (v.option_id = chosen or v.is_only)
  limit 1;
  if former.option_id = chosen then
    vote_id := former.id;
  elsif former.id is not null then
    update poll_votes set option_id = chosen, detail = remark where id = former.id;
    update poll_options set vote_count = vote_count + case id when chosen then 1 else -1 end
    where id in (chosen, former.option_id);
    vote_id := former.id;
  else
    is_first := not exists (select from poll_votes v where v.poll_id = poll.id and v.user_id = voter);
    insert into poll_votes (id, poll_id, option_id, user_id, is_only, detail)
    values (new_id, poll.id, chosen, voter, not poll.allow_multiple_votes, remark);
    update poll_options set vote_count = vote_count + 1 where id = chosen;
    update polls set vote_count = vote_count + 1, voter_count = voter_count + is_first::int where id = poll.id;
    vote_id := new_id;
  end if;
end $$;

create function retract_vote(vote_id uuid, voter uuid, out outcome text)
language plpgsql as $$
declare
  poll polls;
  former poll_votes;
  was_last boolean;
begin
  select p.* into poll from polls p join poll_votes v on v.poll_id = p.id where v.id = vote_id for no key update of p;
  if not exists (select from activities a where a.id = poll.id and a.deleted_at is null) then
    outcome := 'gone';
    return;
  end if;
  if poll.deadline_at <= clock_timestamp() then
    outcome := 'closed';
    return;
  end if;
  delete from poll_votes v where v.id = vote_id and v.user_id = voter returning v.* into former;
  if former.id is null then
    outcome := 'gone';
    return;
  end if;
  outcome := 'done';
  was_last := not exists (select from poll_votes v where v.poll_id = poll.id and v.user_id = voter);
  update poll_options set vote_count = vote_count - 1 where id = former.option_id;
  update polls set vote_count = vote_count - 1, voter_count = voter_count - was_last::int where id = poll.id;
end $$;
