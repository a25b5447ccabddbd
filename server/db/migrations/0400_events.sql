-- Events: editorials with a schedule, their sessions, and the seats people take.
alter table editorials drop constraint editorials_kind_check;
alter table editorials add constraint editorials_kind_check check (kind in
  ('question', 'solution', 'hub', 'carousel', 'picture', 'event'));
alter table editorial_items drop constraint editorial_items_kind_check;
alter table editorial_items add constraint editorial_items_kind_check check (kind in ('academy', 'article', 'community',
  'course', 'lesson', 'microcourse', 'question', 'solution', 'hub', 'carousel', 'picture', 'event'));
alter table content_pieces drop constraint content_pieces_kind_check;
alter table content_pieces add constraint content_pieces_kind_check check (kind in ('academy', 'course', 'journey', 'lesson',
  'microcourse', 'community', 'question', 'solution', 'hub', 'carousel', 'picture', 'event'));
alter table former_slugs drop constraint former_slugs_kind_check;
alter table former_slugs add constraint former_slugs_kind_check check (kind in
  ('academy', 'course', 'journey', 'lesson', 'microcourse', 'community', 'question', 'solution', 'hub', 'event'));
alter table search_documents drop constraint search_documents_kind_check;
alter table search_documents add constraint search_documents_kind_check check (kind in ('academy', 'course', 'lesson',
  'microcourse', 'community', 'post', 'reply', 'article', 'question', 'solution', 'hub', 'event'));
alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder'));

-- The schedule of an event. Times are local to its time zone and those of the first session.
create table events (
  id text primary key references editorials on delete cascade,
  time_zone text not null,
  starts text not null,
  ends text not null,
  recurrence text,                        -- an RFC 5545 rule with an end; null: one session
  place text,
  link text,
  recording text,
  capacity integer check (capacity > 0),
  community_id uuid references communities on delete set null,
  course_id text references courses on delete set null
);
-- The events of a community.
create index events_community on events (community_id) where community_id is not null;
-- The deletion of a course.
create index events_course on events (course_id) where course_id is not null;

-- Place, link, capacity and recording are null where the event's own apply.
create table event_sessions (
  id uuid primary key,
  event_id text not null references events on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  place text,
  link text,
  recording text,
  capacity integer check (capacity > 0),
  cancelled_at timestamptz,
  sequence integer not null default 0,    -- of the calendar entry; grows with each change
  changed_at timestamptz not null default now(),
  check (ends_at > starts_at)
);
-- The sessions of an event, in order.
create index event_sessions_event on event_sessions (event_id, starts_at);
-- Sessions that start soon.
create index event_sessions_start on event_sessions (starts_at) where cancelled_at is null;

create table event_registrations (
  session_id uuid not null references event_sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  status text not null check (status in ('seat', 'waiting')),
  created_at timestamptz not null default clock_timestamp(), -- the order of the waiting list
  promoted_at timestamptz,
  promotion_told_at timestamptz,          -- when the person was notified of the promotion
  attended_at timestamptz,
  reminded_of timestamptz,                -- the start that the person was reminded of
  primary key (session_id, user_id)
);
-- Seats of a session, and its waiting list in order.
create index event_registrations_place on event_registrations (session_id, status, created_at, user_id);
-- Promotions of which nobody was notified yet.
create index event_registrations_untold on event_registrations (session_id)
  where promoted_at is not null and promotion_told_at is null;
-- The sessions of a person.
create index event_registrations_user on event_registrations (user_id);

-- Secret calendar addresses, one a person.
create table event_feeds (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now()
);
