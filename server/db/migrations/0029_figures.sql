-- What the overview of the administration counts. A change of the record leaves lines in figure_changes, in its own
-- transaction and without a lock on anything others write; a job adds them to the sums from time to time. The sums and
-- the lines together are the record at every moment.

-- Weeks begin on Monday, in UTC.
create function week_of(moment timestamptz) returns date language sql immutable parallel safe as $$
  select date_trunc('week', moment at time zone 'UTC')::date
$$;

create table figure_changes (
  figure text not null,
  week date not null,
  user_id uuid not null,                  -- without a reference: it says no more than the rows it is counted from
  course_id text,
  amount integer not null
);

-- What one person did in one week: in everything (the scope is empty) and in each course (its id).
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

-- Who finished a lesson or wrote something. Enrolments may be another's doing.
create function is_active_week(lessons bigint, posts bigint, replies bigint) returns integer
  language sql immutable parallel safe as $$
  select case when coalesce(lessons, 0) + coalesce(posts, 0) + coalesce(replies, 0) > 0 then 1 else 0 end
$$;

-- What is not added to the sums yet, as they will take it.
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

-- Adds what waits to the sums. One at a time; what is read and what is deleted is one statement's snapshot, so that a
-- line is added once, however often and wherever this runs.
create function fold_figures() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('figures', 0));
  with changed as materialized (select * from figures_waiting),
  taken as (delete from figure_changes),
  kept as (
    insert into person_figures as p
      (scope, user_id, week, enrolments, lessons, journeys, certificates, posts, replies)
    select scope, user_id, week, enrolments, lessons, journeys, certificates, posts, replies from changed
    where (enrolments, lessons, journeys, certificates, posts, replies) <> (0, 0, 0, 0, 0, 0)
    on conflict (scope, user_id, week) do update set
      enrolments = p.enrolments + excluded.enrolments, lessons = p.lessons + excluded.lessons,
      journeys = p.journeys + excluded.journeys, certificates = p.certificates + excluded.certificates,
      posts = p.posts + excluded.posts, replies = p.replies + excluded.replies)
  insert into week_figures as w
    (scope, week, people, active, enrolments, lessons, journeys, certificates, posts, replies)
  select scope, week, sum(people), sum(active), sum(enrolments), sum(lessons), sum(journeys), sum(certificates),
    sum(posts), sum(replies)
  from changed group by scope, week
  on conflict (scope, week) do update set
    people = w.people + excluded.people, active = w.active + excluded.active,
    enrolments = w.enrolments + excluded.enrolments, lessons = w.lessons + excluded.lessons,
    journeys = w.journeys + excluded.journeys, certificates = w.certificates + excluded.certificates,
    posts = w.posts + excluded.posts, replies = w.replies + excluded.replies;
  -- Whose every act was taken back: nothing is left to remember them by.
  delete from person_figures
  where enrolments = 0 and lessons = 0 and journeys = 0 and certificates = 0 and posts = 0 and replies = 0;
end $$;

create function note_figure(what text, moment timestamptz, person uuid, course text, by_amount integer) returns void
  language sql as $$
  insert into figure_changes (figure, week, user_id, course_id, amount)
  select what, week_of(moment), person, course, by_amount where moment is not null
$$;

-- Of a row that is gone its course may be gone too; it is then taken back from everything only.
create function course_of_lesson(lesson uuid) returns text language sql stable as $$
  select j.course_id from lessons l join journeys j on j.key = l.journey_key where l.key = lesson
$$;
create function course_of_journey(journey uuid) returns text language sql stable as $$
  select course_id from journeys where key = journey
$$;

create function figures_of_completion() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_figure('lessons', old.completed_at, old.user_id, course_of_lesson(old.lesson_key), -1);
  end if;
  if tg_op <> 'DELETE' then
    perform note_figure('lessons', new.completed_at, new.user_id, course_of_lesson(new.lesson_key), 1);
  end if;
  return null;
end $$;
create trigger figures after insert or delete on lesson_completions
  for each row execute function figures_of_completion();
create trigger figures_change after update on lesson_completions for each row
  when (old.completed_at <> new.completed_at) execute function figures_of_completion();

create function figures_of_enrolment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_figure('enrolments', old.created_at, old.user_id, course_of_journey(old.journey_key), -1);
    perform note_figure('journeys', old.completed_at, old.user_id, course_of_journey(old.journey_key), -1);
  end if;
  if tg_op <> 'DELETE' then
    perform note_figure('enrolments', new.created_at, new.user_id, course_of_journey(new.journey_key), 1);
    perform note_figure('journeys', new.completed_at, new.user_id, course_of_journey(new.journey_key), 1);
  end if;
  return null;
end $$;
create trigger figures after insert or delete on journey_enrolments
  for each row execute function figures_of_enrolment();
create trigger figures_change after update on journey_enrolments for each row
  when ((old.created_at, old.completed_at) is distinct from (new.created_at, new.completed_at))
  execute function figures_of_enrolment();

create function figures_of_certificate() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.revoked_at is null then
    perform note_figure('certificates', old.issued_at, old.user_id, course_of_journey(old.journey_key), -1);
  end if;
  if tg_op <> 'DELETE' and new.revoked_at is null then
    perform note_figure('certificates', new.issued_at, new.user_id, course_of_journey(new.journey_key), 1);
  end if;
  return null;
end $$;
create trigger figures after insert or delete on certificates
  for each row execute function figures_of_certificate();
create trigger figures_change after update on certificates for each row
  when ((old.issued_at, old.revoked_at) is distinct from (new.issued_at, new.revoked_at))
  execute function figures_of_certificate();

create function figures_of_post() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null and old.verb <> 'lesson' then
    perform note_figure('posts', old.created_at, old.author_id, null, -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null and new.verb <> 'lesson' then
    perform note_figure('posts', new.created_at, new.author_id, null, 1);
  end if;
  return null;
end $$;
create trigger figures after insert or delete on activities for each row execute function figures_of_post();
create trigger figures_change after update on activities for each row
  when ((old.created_at, old.deleted_at, old.author_id) is distinct from (new.created_at, new.deleted_at, new.author_id))
  execute function figures_of_post();

create function figures_of_reply() returns trigger language plpgsql as $$
declare
  course text := (select course_of_lesson(a.lesson_key) from activities a where a.id = coalesce(new.activity_id, old.activity_id));
begin
  if tg_op <> 'INSERT' and old.deleted_at is null then
    perform note_figure('replies', old.created_at, old.user_id, course, -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null then
    perform note_figure('replies', new.created_at, new.user_id, course, 1);
  end if;
  return null;
end $$;
create trigger figures_made after insert on reactions for each row
  when (new.kind = 'reply') execute function figures_of_reply();
create trigger figures_gone after delete on reactions for each row
  when (old.kind = 'reply') execute function figures_of_reply();
create trigger figures_change after update on reactions for each row
  when (new.kind = 'reply' and
    (old.created_at, old.deleted_at, old.user_id) is distinct from (new.created_at, new.deleted_at, new.user_id))
  execute function figures_of_reply();

create function figures_of_person() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.email_proven_at is not null and old.erased_at is null then
    perform note_figure('people', old.created_at, old.id, null, -1);
  end if;
  if tg_op <> 'DELETE' and new.email_proven_at is not null and new.erased_at is null then
    perform note_figure('people', new.created_at, new.id, null, 1);
  end if;
  return null;
end $$;
create trigger figures after insert or delete on users for each row execute function figures_of_person();
create trigger figures_change after update on users for each row
  when ((old.created_at, old.erased_at, old.email_proven_at is null)
    is distinct from (new.created_at, new.erased_at, new.email_proven_at is null))
  execute function figures_of_person();

-- What is there already.
insert into figure_changes (figure, week, user_id, course_id, amount)
select 'people', week_of(created_at), id, null, 1 from users where email_proven_at is not null and erased_at is null
union all
select 'enrolments', week_of(e.created_at), e.user_id, j.course_id, count(*)
  from journey_enrolments e join journeys j on j.key = e.journey_key group by 2, 3, 4
union all
select 'journeys', week_of(e.completed_at), e.user_id, j.course_id, count(*)
  from journey_enrolments e join journeys j on j.key = e.journey_key where e.completed_at is not null group by 2, 3, 4
union all
select 'lessons', week_of(c.completed_at), c.user_id, j.course_id, count(*)
  from lesson_completions c join lessons l on l.key = c.lesson_key join journeys j on j.key = l.journey_key
  group by 2, 3, 4
union all
select 'certificates', week_of(c.issued_at), c.user_id, j.course_id, count(*)
  from certificates c join journeys j on j.key = c.journey_key where c.revoked_at is null group by 2, 3, 4
union all
select 'posts', week_of(created_at), author_id, null, count(*)
  from activities where verb <> 'lesson' and deleted_at is null group by 2, 3
union all
select 'replies', week_of(r.created_at), r.user_id, j.course_id, count(*)
  from reactions r join activities a on a.id = r.activity_id left join lessons l on l.key = a.lesson_key
  left join journeys j on j.key = l.journey_key
  where r.kind = 'reply' and r.deleted_at is null group by 2, 3, 4;
select fold_figures();

-- What needs a hand is counted without looking at what does not.
create index users_pending on users (created_at) where registration_status = 'pending';
create index cohort_upload_rows_undone on cohort_upload_rows (upload_id) where outcome is null;
create index mails_page on mails (status, id desc);

-- What a content platform told, and what came of it; kept for 30 days.
create table content_events (
  id uuid primary key,
  topic text not null,
  entry_id text not null,
  content_type text,
  version bigint,
  outcome text not null check (outcome in ('applied', 'ignored')),
  reason text check (reason in ('topic', 'older', 'absent')),
  request_id text not null,
  received_at timestamptz not null default now(),
  check ((outcome = 'ignored') = (reason is not null))
);
create index content_events_outcome on content_events (outcome, id desc);
create index content_events_entry on content_events (entry_id, id desc);
