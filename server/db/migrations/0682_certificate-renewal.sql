-- Months for which a certificate of the journey is valid; null: without end.
alter table journeys add column certificate_months integer check (certificate_months between 1 and 120);

alter table certificates
  add column expires_at timestamptz,     -- fixed when it is issued; null: never
  add column follows uuid references certificates on delete set null deferrable initially deferred;
-- The certificates that are about to expire, and the one that follows another.
create index certificates_expiry on certificates (expires_at)
  where expires_at is not null and replaced_by is null and revoked_at is null;
create index certificates_follows on certificates (follows) where follows is not null;

-- A renewal: the journey is completed again, and then a new certificate is issued, which clears both columns.
alter table journey_enrolments
  add column renewal_begun_at timestamptz,
  add column renewal_completed_at timestamptz,
  add check (renewal_completed_at is null or renewal_begun_at is not null);

-- The time of the renewal since which a completion or an attempt no longer counts; null: it counts.
alter table assessment_attempts add column lapsed_at timestamptz;
alter table lesson_completions add column lapsed_at timestamptz;
alter table lesson_completions drop constraint lesson_completions_user_id_lesson_key_key;
alter table lesson_completions add constraint lesson_completions_once
  unique nulls not distinct (user_id, lesson_key, lapsed_at);

alter table notifications drop constraint notifications_event_check;
alter table notifications add constraint notifications_event_check check (event in ('reply', 'mention',
  'connection_request', 'connection_accepted', 'community_invitation', 'community_membership', 'cohort_membership',
  'poll_outcome', 'certificate', 'due_date', 'moderation', 'report_outcome', 'event_seat', 'event_promoted',
  'event_changed', 'event_cancelled', 'event_reminder', 'community_post', 'thread_reply', 'person_post', 'new_article',
  'role_change', 'registration_waiting', 'registration_decided', 'join_request', 'report_waiting', 'appeal_waiting',
  'assignment', 'evaluation', 'certificate_expiry'));
