alter table cohorts add column archived_at timestamptz;
-- A deleted cohort is hidden everywhere; a job removes its rows in batches and then the cohort itself.
alter table cohorts add column deleted_at timestamptz;
-- Archived cohorts, and those that are being deleted.
create index cohorts_closed on cohorts (id) where archived_at is not null or deleted_at is not null;

-- The invitations of a cohort in the order of their last mail.
create index cohort_invitations_sent on cohort_invitations (cohort_id, coalesce(sent_again_at, created_at), id);
