-- Extra time of a learner for the timed assessments of a journey, in percent of their time limit; null: none.
alter table journey_enrolments add column extra_time integer check (extra_time between 1 and 300);
