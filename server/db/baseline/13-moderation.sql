-- Reports, decisions of moderators, and appeals.

-- One report a person and thing.
create table content_reports (
  id uuid primary key,
  community_id uuid not null references communities on delete cascade,
  activity_id uuid not null references activities on delete cascade,
  object_id uuid not null,                -- the activity or a reply; without a reference, since the decision outlives the reply's row
  user_id uuid not null references users, -- the reporter; an erased person keeps a nameless row
  reason text not null check (reason in ('insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other')),
  rule smallint,                          -- the number of the community's rule it is said to break
  note text,
  status text not null default 'open' check (status in ('open', 'dismissed', 'removed')),
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  decision_note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, object_id),
  check ((status = 'open') = (decided_at is null))
);
-- The open reports of a community, by object.
create index content_reports_open on content_reports (community_id, object_id) where status = 'open';
-- The open reports of all communities, oldest first.
create index content_reports_open_all on content_reports (created_at) where status = 'open';
-- The decided reports, newest first.
create index content_reports_decided on content_reports (decided_at desc) where status <> 'open';
-- The reports of a year, for the figures of moderation.
create index content_reports_created on content_reports (created_at);
-- The reports of a text.
create index content_reports_object on content_reports (object_id);
-- The reports of an activity that is deleted.
create index content_reports_activity on content_reports (activity_id);

-- The moderator who looks at a case, so that no two decide it at once. Over after half an hour.
create table moderation_claims (
  object_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  until timestamptz not null
);
-- The claims of a person, for export and erasure.
create index moderation_claims_user on moderation_claims (user_id);

-- Texts that were removed by somebody other than the author: the statement for the author, and their appeal.
create table moderation_decisions (
  id uuid primary key,
  community_id uuid references communities on delete cascade, -- null: under a lesson, or on a profile
  kind text not null check (kind in ('activity', 'reaction')),
  object_id uuid not null,                -- the activity, or a reply whose row may be gone
  activity_id uuid not null references activities on delete cascade,
  author_id uuid not null references users, -- an erased person keeps a nameless row
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  reason text not null default 'other' check (reason in ('insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other')),
  note text,
  rule smallint,                          -- its number then
  rule_html text,                         -- its text then
  by_report boolean not null default false,
  held jsonb,                             -- the row as it was, for the appeal; deleted after half a year and with the person
  appeal_text text,
  appealed_at timestamptz,
  outcome text check (outcome in ('upheld', 'reversed')),
  outcome_note text,
  outcome_by uuid,
  outcome_at timestamptz,
  is_restored boolean,                    -- of a reversal: whether the text could be put back
  check ((outcome is null) = (outcome_at is null) and (outcome is null or appealed_at is not null))
);
-- An author's decisions, newest first.
create index moderation_decisions_author on moderation_decisions (author_id, decided_at desc);
-- The decisions of a community, newest first.
create index moderation_decisions_place on moderation_decisions (community_id, decided_at desc);
-- All decisions, newest first, and the sweep of what is held.
create index moderation_decisions_time on moderation_decisions (decided_at desc, id);
-- The decisions about a text.
create index moderation_decisions_object on moderation_decisions (object_id);
-- The decisions about an activity that is deleted.
create index moderation_decisions_activity on moderation_decisions (activity_id);
-- The appeals that wait.
create index moderation_decisions_appeals on moderation_decisions (appealed_at) where appealed_at is not null and outcome is null;

-- The likes of a reply whose row was deleted with its removal.
create table moderation_held_likes (
  id uuid primary key,                    -- of the like
  decision_id uuid not null references moderation_decisions on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null
);
-- The likes to put back.
create index moderation_held_likes_decision on moderation_held_likes (decision_id);
-- A person's likes, for export and erasure.
create index moderation_held_likes_user on moderation_held_likes (user_id);
