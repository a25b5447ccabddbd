-- The activity of each person in each course by month, in UTC, for reports by period. A job counts it from the records.
create table learning_months (
  month date not null check (extract(day from month) = 1),
  user_id uuid not null references users on delete cascade,
  course_id text not null references courses on delete cascade,
  lessons integer not null,
  minutes integer not null,
  enrolments integer not null,
  completions integer not null,
  certificates integer not null,
  primary key (month, user_id, course_id)
);
create index learning_months_user on learning_months (user_id);
create index learning_months_course on learning_months (course_id);

-- A month is read from these; the rows are in the order of their time.
create index lesson_completions_time on lesson_completions using brin (completed_at);
create index certificates_time on certificates using brin (issued_at);

-- The months until today, as the job counts them.
insert into learning_months (month, user_id, course_id, lessons, minutes, enrolments, completions, certificates)
select date_trunc('month', at at time zone 'UTC')::date, user_id, course_id, sum(lessons), sum(minutes), sum(enrolments),
  sum(completions), sum(certificates)
from (
  select d.completed_at as at, d.user_id, j.course_id, 1 as lessons, l.minutes, 0 as enrolments, 0 as completions,
    0 as certificates
  from lesson_completions d join lessons l on l.key = d.lesson_key join journeys j on j.key = l.journey_key
  union all
  select e.created_at, e.user_id, j.course_id, 0, 0, 1, 0, 0
  from journey_enrolments e join journeys j on j.key = e.journey_key
  union all
  select e.completed_at, e.user_id, j.course_id, 0, 0, 0, 1, 0
  from journey_enrolments e join journeys j on j.key = e.journey_key where e.completed_at is not null
  union all
  select t.issued_at, t.user_id, j.course_id, 0, 0, 0, 0, 1
  from certificates t join journeys j on j.key = t.journey_key where t.revoked_at is null) records
group by 1, 2, 3;
