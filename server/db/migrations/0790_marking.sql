-- Open answers are marked by a person. Until then the attempt has ended without a score.
alter table assessment_attempts drop constraint assessment_attempts_check;
alter table assessment_attempts add constraint assessment_attempts_check check (
  num_nonnulls(score, passed) in (0, 2) and (submitted_at is not null or passed is null));
-- Number of the question → points by criterion (one for all without criteria) and comment.
alter table assessment_attempts add column marks jsonb not null default '{}';
-- Counts changes of the marks, so that two markers do not overwrite each other.
alter table assessment_attempts add column mark_version integer not null default 0;
create index assessment_attempts_waiting on assessment_attempts (submitted_at, id)
  where submitted_at is not null and passed is null and lapsed_at is null;
create index assessment_attempts_marked on assessment_attempts (submitted_at, id)
  where marks <> '{}' and passed is not null and lapsed_at is null;

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment', 'evaluation', 'certificate_expiry', 'reminder', 'enrolment', 'administrator', 'marking_waiting',
  'attempt_marked'));
