-- Questions to learners who completed a journey, as contract/evaluation.ts has them.
alter table journeys add column evaluation jsonb not null default '[]' check (jsonb_typeof(evaluation) = 'array');

-- Learners who answered or skipped the evaluation of a journey. Nothing here leads to their answers: no time, no id.
create table evaluation_people (
  user_id uuid not null references users on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  outcome text not null check (outcome in ('answered', 'skipped')),
  primary key (user_id, journey_key)
);
create index evaluation_people_journey on evaluation_people (journey_key);

-- The answers to the evaluation of a journey: how many people are counted, and those who wait for a batch, sealed.
create table evaluations (
  journey_key uuid primary key references journeys on delete cascade,
  counted integer not null default 0,
  waiting bytea
);

-- Counted answers by question. `shape` keeps questions apart whose type or options changed.
create table evaluation_counts (
  journey_key uuid not null references journeys on delete cascade,
  question_id text not null,
  shape text not null,
  question jsonb not null,          -- as it was asked last
  answers integer not null,
  counts jsonb not null,            -- number of the option or step → answers
  primary key (journey_key, question_id, shape)
);

-- Counted texts. Ids are random, because ids by time would tell the order of answers.
create table evaluation_texts (
  id uuid primary key default gen_random_uuid(),
  journey_key uuid not null references journeys on delete cascade,
  question_id text not null,
  shape text not null,
  body text not null
);
create index evaluation_texts_question on evaluation_texts (journey_key, question_id, shape, id);

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment', 'evaluation'));
