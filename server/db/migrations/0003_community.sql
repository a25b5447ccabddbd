-- What is said in communities, under lessons and on profiles.
alter table communities add column activity_count integer not null default 0 check (activity_count >= 0);

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
  depth smallint not null check (depth between 1 and 3),
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
