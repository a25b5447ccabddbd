-- The days between which a cohort takes place. Nobody is added or invited after the last one.
alter table cohorts add column begins_on date, add column ends_on date,
  add constraint cohorts_end_check check (ends_on >= begins_on);
