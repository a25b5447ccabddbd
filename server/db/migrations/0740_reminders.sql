-- Whether members are reminded of due dates by themselves.
alter table cohorts add column reminds_of_due_dates boolean not null default true;

-- Reminders that somebody sent to members of a cohort who have not completed a journey.
create table cohort_reminders (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  words text not null check (length(words) <= 1000),
  created_at timestamptz not null default now()
);
create index cohort_reminders_cohort on cohort_reminders (cohort_id);
create index cohort_reminders_journey on cohort_reminders (journey_key);

-- The last reminder of a person in a journey, whichever cohort sent it. A person gets one a day.
create table learner_reminders (
  user_id uuid not null references users on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  reminder_id uuid not null references cohort_reminders on delete cascade,
  sent_at timestamptz not null default now(),
  primary key (user_id, journey_key)
);
create index learner_reminders_journey on learner_reminders (journey_key);
create index learner_reminders_reminder on learner_reminders (reminder_id);

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment', 'evaluation', 'certificate_expiry', 'reminder'));
