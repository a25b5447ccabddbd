-- The new addresses of a draft that have an account, which become members at once.
alter table cohort_drafts add column added integer not null default 0;
