-- Whether members are enrolled in what the cohort asks for, without a click.
alter table cohorts add column enrols_at_once boolean not null default false;

-- The cohort that enrolled the person.
alter table journey_enrolments add column cohort_id uuid references cohorts on delete set null;
create index journey_enrolments_cohort on journey_enrolments (cohort_id) where cohort_id is not null;

-- New members of such cohorts, until a job has enrolled them.
create table cohort_joiners (
  cohort_id uuid not null references cohorts on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (cohort_id, user_id)
);
create index cohort_joiners_user on cohort_joiners (user_id);

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment', 'evaluation', 'certificate_expiry', 'reminder', 'enrolment'));
