-- Notifications. A row points to what happened: names, titles and counts are read when it is shown, so that nothing
-- deleted, withdrawn or hidden meanwhile is shown. While a row is unread, more of the same about the same object changes
-- its time only, at most once a minute, so that a busy thread does not rewrite its author's row for every reply.
create table notifications (
  id uuid primary key,
  user_id uuid not null,                  -- without a reference, which would lock the person for every reply to them
  event text not null check (event in ('reply', 'mention', 'connection_request', 'connection_accepted',
    'community_invitation', 'community_membership', 'cohort_membership', 'poll_outcome', 'certificate', 'due_date',
    'moderation', 'report_outcome')),
  object_id uuid not null,                -- the text that was replied to or that mentions, the connection, the community …
  activity_id uuid,                       -- set when the object is an activity or a part of one
  since_id uuid,                          -- for replies: the first that is new
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  read_at timestamptz,
  mailed_at timestamptz
);
-- A person's unread notification about an object; one each.
create unique index notifications_unread on notifications (user_id, event, object_id) where read_at is null;
-- A person's notifications, newest first.
create index notifications_page on notifications (user_id, updated_at desc, id desc);
-- Notifications since the last look, which are announced and mailed; and the sweep of old ones.
create index notifications_news on notifications (updated_at);

-- Differences from the defaults in contract/notifications.ts.
create table notification_preferences (
  user_id uuid not null references users on delete cascade,
  event text not null,
  in_app text not null check (in_app in ('at-once', 'never')),
  mail text not null check (mail in ('at-once', 'daily', 'weekly', 'never')),
  primary key (user_id, event)
);

create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
  time_zone text not null default 'UTC',
  secret bytea not null                   -- signs the links that unsubscribe from mails
);

-- Things that are sent once: the outcome of a poll, a due date, a digest. The process that adds the row sends it.
create table notification_claims (
  name text primary key,
  created_at timestamptz not null default now()
);
