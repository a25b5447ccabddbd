-- Communities, their members, and what people write there, under lessons and on profiles.
create table communities (
  id uuid primary key,
  entry_id text not null unique references entries on delete cascade,
  slug text not null unique,
  title jsonb not null,
  description jsonb not null default '{}',
  privacy text not null default 'closed-hidden' check (privacy in
    ('closed-hidden', 'closed-visible', 'open-hidden', 'open-visible')),
  locale text not null default 'en',
  categories text[] not null default '{}',
  rules jsonb not null default '{}',
  cover text references content_assets on delete set null,
  cover_alt jsonb not null default '{}',
  member_count integer not null default 0 check (member_count >= 0),
  position integer not null default 0,
  created_at timestamptz not null default now()
);

create table community_members (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  id uuid not null default new_id() unique, -- of the membership record
  role text not null default 'member' check (role in ('owner', 'member')),
  level smallint check (level between 0 and 3), -- granted; null: the level of the role
  status text not null default 'active' check (status in ('active', 'pending', 'invited')),
  creator boolean not null default false,
  metadata jsonb not null default '{}',
  joined_at timestamptz not null default now(),
  expires_on timestamptz,                 -- the membership ends at that moment, the row goes a little later; null: no end
  updated_at timestamptz not null default now(),
  primary key (community_id, user_id)
);
-- The communities a person is in, which decide access.
create index community_members_user on community_members (user_id, status);
-- The members of a community in one status, in the order they joined.
create index community_members_list on community_members (community_id, status, joined_at, user_id);
-- All membership records, oldest first.
create index community_members_oldest on community_members (joined_at, id);
-- The membership records of a community, oldest first.
create index community_members_by_place on community_members (community_id, joined_at, id);
-- The owners of a community.
create index community_members_owners on community_members (community_id) where role = 'owner';
-- The members of a community with a level of their own.
create index community_members_levels on community_members (community_id) where level is not null;

-- Owners named by a content folder who have no account yet.
create table community_owner_claims (
  community_id uuid not null references communities on delete cascade,
  email text not null,
  position smallint not null default 0,
  primary key (community_id, email)
);

-- The rules of a community, and how much one person may write there.
create table community_settings (
  community_id uuid primary key references communities on delete cascade,
  locale text not null,                   -- of the rules
  rules text[] not null default '{}',     -- as they were written, Markdown
  rules_html text[] not null default '{}', -- rendered from it
  slow_mode_seconds integer not null default 0 check (slow_mode_seconds between 0 and 86400),
  posts_per_day integer check (posts_per_day between 1 and 1000), -- of one person; null: no limit
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
-- The sweep of old turns.
create index community_turns_last on community_turns (last_at);

create table activities (
  id uuid primary key,
  community_id uuid references communities on delete cascade,
  lesson_key uuid references lessons on delete cascade,   -- a lesson discussion
  author_id uuid not null references users,               -- an erased author keeps a nameless row
  verb text not null check (verb in ('post', 'poll', 'lesson')),
  title text,
  body text,                                              -- sanitised source, as the API gives it
  body_html text,                                         -- rendered from it, `{{uuid}}` mentions still in place
  body_map jsonb,                                         -- a lesson discussion: locale → text
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
  written_json text not null default '',                  -- what only the author changes, as JSON without braces; written by a trigger
  check (num_nonnulls(community_id, lesson_key) <= 1)
);
-- The feed of a community, by score.
create index activities_hot on activities (community_id, hot desc, id desc) where deleted_at is null;
-- The feed of a community, pinned first, then newest first.
create index activities_recent on activities (community_id, (pin_count > 0) desc, id desc) where deleted_at is null;
-- The posts of a category.
create index activities_categories on activities using gin (categories) where deleted_at is null;
-- The discussion of a lesson, newest first.
create index activities_lesson on activities (lesson_key, id desc) where deleted_at is null and lesson_key is not null;
-- The posts of a person, newest first.
create index activities_author on activities (author_id, id desc) where deleted_at is null;
-- The removed posts of a person, which are counted too.
create index activities_author_gone on activities (author_id) where deleted_at is not null;

-- The people who gave an activity its points: 1 for a like, 2 for a reply, 3 for a share, once a person and kind, never
-- the author.
create table activity_people (
  activity_id uuid not null references activities on delete cascade,
  user_id uuid not null references users,
  kind text not null check (kind in ('like', 'reply', 'share')),
  times integer not null check (times > 0),
  primary key (activity_id, user_id, kind)
);

-- The number of posts and polls of a community, in all (the category is empty) and by category. Each number is the sum of
-- up to sixteen rows, of which a connection always changes the same one: with a single row, everybody who posts would
-- wait for the commits before theirs. Triggers count.
create table activity_counts (
  community_id uuid not null references communities on delete cascade,
  category text not null,
  part smallint not null,
  n integer not null,
  primary key (community_id, category, part)
) with (fillfactor = 50);

-- The posts that shared an article.
create table article_shares (
  activity_id uuid primary key references activities on delete cascade,
  article_id uuid not null references articles on delete cascade
);
-- The shares of an article, oldest first.
create index article_shares_article on article_shares (article_id, activity_id);

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
-- A person's like or pin of an activity; one each.
create unique index reactions_once on reactions (activity_id, user_id, kind) where parent_id is null and kind <> 'reply';
-- A person's like of a reply; one each.
create unique index reactions_once_child on reactions (parent_id, user_id, kind) where parent_id is not null and kind <> 'reply';
-- The reactions to an activity of one kind, in order.
create index reactions_page on reactions (activity_id, kind, id) where parent_id is null;
-- The reactions to a reply of one kind, in order.
create index reactions_child_page on reactions (parent_id, kind, id) where parent_id is not null;
-- The reactions of a person.
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
-- Polls that have ended, whose outcome is announced.
create index polls_deadline on polls (deadline_at) where deadline_at is not null;

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
-- A person's only vote in a poll of one choice.
create unique index poll_votes_only on poll_votes (poll_id, user_id) where is_only;
-- A person's votes in the polls of a page.
create index poll_votes_user on poll_votes (user_id, poll_id);

-- The transactions that changed what a feed shows. A process caches first pages, and asks with each request whether a
-- transaction changed something since: one that it could not see has a number at or above the lowest that was then
-- running. Rows are added by the writer and never changed, so writers do not wait for each other; the sweep deletes them
-- after hours.
create table feed_changes (
  community_id uuid not null,             -- zero: all communities, for example after a change of name
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default now(),
  primary key (community_id, xid)
);
