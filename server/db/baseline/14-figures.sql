-- Numbers that the administration shows. A change leaves lines in figure_changes or tally_changes, in its own transaction
-- and without a lock that others wait for; a job adds the lines to the sums. Sums and lines together are right at every
-- moment.
create table figure_changes (
  figure text not null,
  week date not null,                     -- its Monday, in UTC
  user_id uuid not null,                  -- without a reference: it says no more than the rows it is counted from
  course_id text,
  amount integer not null
);

-- The acts of one person in one week: in total (the scope is empty) and in each course (its id).
create table person_figures (
  scope text not null,
  user_id uuid not null,
  week date not null,
  enrolments integer not null default 0,
  lessons integer not null default 0,
  journeys integer not null default 0,
  certificates integer not null default 0,
  posts integer not null default 0,
  replies integer not null default 0,
  -- A cohort is read from the index alone.
  primary key (scope, user_id, week) include (enrolments, lessons, journeys, certificates, posts, replies)
);
-- Rows that became empty, which are deleted.
create index person_figures_nothing on person_figures (scope)
  where enrolments = 0 and lessons = 0 and journeys = 0 and certificates = 0 and posts = 0 and replies = 0;

create table week_figures (
  scope text not null,
  week date not null,
  people integer not null default 0,
  active integer not null default 0,
  enrolments integer not null default 0,
  lessons integer not null default 0,
  journeys integer not null default 0,
  certificates integer not null default 0,
  posts integer not null default 0,
  replies integer not null default 0,
  primary key (scope, week)
);

-- The lines that are not added to the sums yet, as the sums will take them.
create view figures_waiting as
select w.*, is_active_week(w.lessons + coalesce(p.lessons, 0), w.posts + coalesce(p.posts, 0),
    w.replies + coalesce(p.replies, 0)) - is_active_week(p.lessons, p.posts, p.replies) as active
from (
  select s.scope, c.week, c.user_id,
    coalesce(sum(c.amount) filter (where c.figure = 'people'), 0) as people,
    coalesce(sum(c.amount) filter (where c.figure = 'enrolments'), 0) as enrolments,
    coalesce(sum(c.amount) filter (where c.figure = 'lessons'), 0) as lessons,
    coalesce(sum(c.amount) filter (where c.figure = 'journeys'), 0) as journeys,
    coalesce(sum(c.amount) filter (where c.figure = 'certificates'), 0) as certificates,
    coalesce(sum(c.amount) filter (where c.figure = 'posts'), 0) as posts,
    coalesce(sum(c.amount) filter (where c.figure = 'replies'), 0) as replies
  from figure_changes c cross join lateral (values (''), (c.course_id)) s (scope)
  where s.scope is not null
  group by s.scope, c.week, c.user_id
) w
left join person_figures p on p.scope = w.scope and p.user_id = w.user_id and p.week = w.week;

-- The lengths of long lists.
create table tallies (
  thing text not null,
  key text not null,                      -- what they are told apart by, such as a role or a cohort
  n bigint not null,
  primary key (thing, key) include (n)
);
create table tally_changes (
  thing text not null,
  key text not null,
  n bigint not null
);
-- The lines of one number, and whether a cohort has changed.
create index tally_changes_key on tally_changes (thing, key);

create view tallied as
select thing, key, n from tallies union all select thing, key, n from tally_changes;
