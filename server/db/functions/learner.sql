-- Progress of learners.

-- Counts the lessons and minutes of a journey and what a learner has completed. `also`: counts this lesson as completed too.
create or replace function count_progress(
  journey uuid, learner uuid, also uuid default null,
  out mandatory_lessons integer, out mandatory_minutes integer, out completed_lessons integer,
  out completed_minutes integer, out optional_lessons integer, out completed_optional_lessons integer)
language plpgsql stable as $$
begin
  select count(*) filter (where counted.mandatory),
    coalesce(sum(counted.minutes) filter (where counted.mandatory), 0),
    count(*) filter (where counted.mandatory and counted.is_done),
    coalesce(sum(counted.minutes) filter (where counted.mandatory and counted.is_done), 0),
    count(*) filter (where not counted.mandatory),
    count(*) filter (where not counted.mandatory and counted.is_done)
  into mandatory_lessons, mandatory_minutes, completed_lessons, completed_minutes, optional_lessons,
    completed_optional_lessons
  from (
    select l.mandatory, l.minutes, d.id is not null or l.key = also as is_done
    from lessons l
    left join lesson_completions d on d.lesson_key = l.key and d.user_id = learner and d.lapsed_at is null
    where l.journey_key = journey and l.withdrawn_at is null) counted;
end $$;

-- Whether a journey is not completed yet, or to be completed again for a renewal.
create or replace function is_under_way(enrolment journey_enrolments) returns boolean language plpgsql immutable as $$
begin
  return enrolment.completed_at is null
    or (enrolment.renewal_begun_at is not null and enrolment.renewal_completed_at is null);
end $$;

-- Completes a journey permanently, or again for a renewal. The first completion keeps its time.
create or replace function complete_journey(enrolment uuid, at_revision integer) returns void language plpgsql as $$
begin
  update journey_enrolments e set completed_at = coalesce(e.completed_at, now()),
    renewal_completed_at = case when e.renewal_begun_at is not null then now() end,
    updated_at = now(), seen_revision = at_revision
  where e.id = enrolment and is_under_way(e);
end $$;

-- Completes a lesson once, and its journey permanently with the last mandatory lesson. A journey without mandatory lessons
-- is never complete. The lock on the enrolment makes one of two concurrent last completions see the other. A function, so
-- that the lock lasts one statement. `outcome`: done; absent (not enrolled); unpassed (its assessment); or the status of
-- an enrolment that is not current.
create or replace function complete_lesson(new_id uuid, learner uuid, journey uuid, lesson uuid, its_locale text, out outcome text)
language plpgsql as $$
declare
  enrolment journey_enrolments;
  counted record;
begin
  select e.* into enrolment from journey_enrolments e where e.user_id = learner and e.journey_key = journey for update;
  if not found then
    outcome := 'absent';
    return;
  end if;
  outcome := enrolment_status(enrolment.status, enrolment.expires_on);
  if outcome <> 'enrolled' then
    return;
  end if;
  -- A lesson with an assessment is completed by passing it. A completion from before it had one stays.
  if exists (select from lessons l where l.key = lesson and l.assessment is not null)
    and not exists (select from assessment_attempts a where a.user_id = learner and a.lesson_key = lesson and a.passed
      and a.lapsed_at is null)
    and not exists (select from lesson_completions d where d.user_id = learner and d.lesson_key = lesson
      and d.lapsed_at is null) then
    outcome := 'unpassed';
    return;
  end if;
  outcome := 'done';
  select c.*, j.revision into counted from journeys j cross join count_progress(journey, learner, lesson) c
  where j.key = journey;
  -- The stored snapshot has the names of the contract's Progress.
  insert into lesson_completions (id, user_id, lesson_key, locale, progress, revision)
  values (new_id, learner, lesson, its_locale, jsonb_build_object(
    'completedLessons', counted.completed_lessons, 'completedTime', counted.completed_minutes,
    'mandatoryLessons', counted.mandatory_lessons, 'mandatoryTime', counted.mandatory_minutes,
    'optional', jsonb_build_object(
      'completedLessons', counted.completed_optional_lessons, 'lessons', counted.optional_lessons)), counted.revision)
  on conflict (user_id, lesson_key, lapsed_at) do nothing;
  if is_under_way(enrolment) and counted.mandatory_lessons > 0
    and counted.completed_lessons >= counted.mandatory_lessons then
    perform complete_journey(enrolment.id, counted.revision);
  end if;
end $$;

-- Completes journeys whose last missing lesson was withdrawn or made optional. Locks the enrolments first, so that a
-- concurrent completion is visible here, or sees this change.
create or replace function complete_without(journey_keys uuid[]) returns void language plpgsql as $$
begin
  perform from journey_enrolments e where e.journey_key = any(journey_keys) and is_under_way(e)
    and e.status not in ('created', 'pending') order by e.id for update;
  perform complete_journey(e.id, j.revision)
  from journeys j join journey_enrolments e on e.journey_key = j.key
  where j.key = any(journey_keys) and is_under_way(e)
    and e.status not in ('created', 'pending')
    and exists (select from lessons l where l.journey_key = j.key and l.withdrawn_at is null and l.mandatory)
    and not exists (
      select from lessons l
      where l.journey_key = j.key and l.withdrawn_at is null and l.mandatory
        and not exists (select from lesson_completions d where d.lesson_key = l.key and d.user_id = e.user_id
          and d.lapsed_at is null));
end $$;

-- Sets the start of an enrolment: the time of its first completion.
create or replace function start_enrolment() returns trigger language plpgsql as $$
begin
  update journey_enrolments e set started_at = new.completed_at
  from lessons l
  where l.key = new.lesson_key and e.user_id = new.user_id and e.journey_key = l.journey_key and e.started_at is null;
  return null;
end $$;
create or replace trigger lesson_completions_start after insert on lesson_completions
  for each row execute function start_enrolment();

-- Restores the start for a new enrolment of a learner who has completions in the journey.
create or replace function resume_enrolment() returns trigger language plpgsql as $$
begin
  new.started_at := (
    select min(d.completed_at) from lessons l join lesson_completions d on d.lesson_key = l.key and d.user_id = new.user_id
    where l.journey_key = new.journey_key);
  return new;
end $$;
create or replace trigger journey_enrolments_resume before insert on journey_enrolments
  for each row execute function resume_enrolment();
