-- Copies of other indexes, and counts that activity_counts replaced.
drop index if exists cohorts_name;
drop index if exists audit_log_time;
drop table if exists community_categories;
alter table communities drop column if exists activity_count;
