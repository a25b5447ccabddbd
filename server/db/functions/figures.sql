-- Weekly figures of the administration's overview. Weeks begin on Monday, in UTC.

-- The week of a timestamp.
create or replace function week_of(moment timestamptz) returns date language sql immutable parallel safe as $$
  select date_trunc('week', moment at time zone 'UTC')::date
$$;

-- Adds pending changes to the sums, one run at a time. Reading and deleting share one statement's snapshot, so each
-- change is added exactly once.
create or replace function fold_figures() returns void language plpgsql as $$
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
  -- Delete people whose acts were all undone.
  delete from person_figures
  where enrolments = 0 and lessons = 0 and journeys = 0 and certificates = 0 and posts = 0 and replies = 0;
end $$;

-- Records a pending change of a figure.
create or replace function note_figure(what text, moment timestamptz, person uuid, course text, by_amount integer)
returns void language plpgsql as $$
begin
  if moment is not null then
    insert into figure_changes (figure, week, user_id, course_id, amount)
    values (what, week_of(moment), person, course, by_amount);
  end if;
end $$;

-- The course of a lesson. Null when the row is deleted: the figure is then subtracted from the totals only.
create or replace function course_of_lesson(lesson uuid) returns text language plpgsql stable strict as $$
begin
  return (select j.course_id from lessons l join journeys j on j.key = l.journey_key where l.key = lesson);
end $$;

-- The course of a journey. Null when the row is deleted.
create or replace function course_of_journey(journey uuid) returns text language plpgsql stable strict as $$
begin
  return (select course_id from journeys where key = journey);
end $$;

-- Records completed lessons.
create or replace function figures_of_completion() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_figure('lessons', old.completed_at, old.user_id, course_of_lesson(old.lesson_key), -1);
  end if;
  if tg_op <> 'DELETE' then
    perform note_figure('lessons', new.completed_at, new.user_id, course_of_lesson(new.lesson_key), 1);
  end if;
  return null;
end $$;
create or replace trigger figures after insert or delete on lesson_completions
  for each row execute function figures_of_completion();
create or replace trigger figures_change after update on lesson_completions for each row
  when (old.completed_at <> new.completed_at) execute function figures_of_completion();

-- Records enrolments and completed journeys.
create or replace function figures_of_enrolment() returns trigger language plpgsql as $$
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
create or replace trigger figures after insert or delete on journey_enrolments
  for each row execute function figures_of_enrolment();
create or replace trigger figures_change after update of created_at, completed_at on journey_enrolments for each row
  when ((old.created_at, old.completed_at) is distinct from (new.created_at, new.completed_at))
  execute function figures_of_enrolment();

-- Records certificates.
create or replace function figures_of_certificate() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.revoked_at is null then
    perform note_figure('certificates', old.issued_at, old.user_id, course_of_journey(old.journey_key), -1);
  end if;
  if tg_op <> 'DELETE' and new.revoked_at is null then
    perform note_figure('certificates', new.issued_at, new.user_id, course_of_journey(new.journey_key), 1);
  end if;
  return null;
end $$;
create or replace trigger figures after insert or delete on certificates
  for each row execute function figures_of_certificate();
create or replace trigger figures_change after update on certificates for each row
  when ((old.issued_at, old.revoked_at) is distinct from (new.issued_at, new.revoked_at))
  execute function figures_of_certificate();

-- Records posts.
create or replace function figures_of_post() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.deleted_at is null and old.verb <> 'lesson' then
    perform note_figure('posts', old.created_at, old.author_id, null, -1);
  end if;
  if tg_op <> 'DELETE' and new.deleted_at is null and new.verb <> 'lesson' then
    perform note_figure('posts', new.created_at, new.author_id, null, 1);
  end if;
  return null;
end $$;
create or replace trigger figures after insert or delete on activities for each row execute function figures_of_post();
create or replace trigger figures_change after update of created_at, deleted_at, author_id on activities for each row
  when ((old.created_at, old.deleted_at, old.author_id) is distinct from (new.created_at, new.deleted_at, new.author_id))
  execute function figures_of_post();

-- Records replies.
create or replace function figures_of_reply() returns trigger language plpgsql as $$
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
create or replace trigger figures_made after insert on reactions for each row
  when (new.kind = 'reply') execute function figures_of_reply();
create or replace trigger figures_gone after delete on reactions for each row
  when (old.kind = 'reply') execute function figures_of_reply();
create or replace trigger figures_change after update of created_at, deleted_at, user_id on reactions for each row
  when (new.kind = 'reply' and (old.created_at, old.deleted_at, old.user_id)
    is distinct from (new.created_at, new.deleted_at, new.user_id))
  execute function figures_of_reply();

-- Records accounts.
create or replace function figures_of_person() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.email_proven_at is not null and old.erased_at is null then
    perform note_figure('people', old.created_at, old.id, null, -1);
  end if;
  if tg_op <> 'DELETE' and new.email_proven_at is not null and new.erased_at is null then
    perform note_figure('people', new.created_at, new.id, null, 1);
  end if;
  return null;
end $$;
create or replace trigger figures after insert or delete on users for each row execute function figures_of_person();
create or replace trigger figures_change after update on users for each row
  when ((old.created_at, old.erased_at, old.email_proven_at is null)
    is distinct from (new.created_at, new.erased_at, new.email_proven_at is null))
  execute function figures_of_person();
