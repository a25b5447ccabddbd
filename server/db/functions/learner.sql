-- Progress of learners.

-- A learner's progress in a journey, in the contract's shape; with `also`, as if that lesson were completed too.
create or replace function journey_progress(journey uuid, learner uuid, also uuid default null) returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'completedLessons', count(*) filter (where counted.mandatory and counted.is_done),
      'completedTime', coalesce(sum(counted.minutes) filter (where counted.mandatory and counted.is_done), 0),
      'mandatoryLessons', count(*) filter (where counted.mandatory),
      'mandatoryTime', coalesce(sum(counted.minutes) filter (where counted.mandatory), 0),
      'optional', json_build_object(
        'completedLessons', count(*) filter (where not counted.mandatory and counted.is_done),
        'lessons', count(*) filter (where not counted.mandatory)))
    from (
      select l.mandatory, l.minutes, d.id is not null or l.key = also as is_done
      from lessons l left join lesson_completions d on d.lesson_key = l.key and d.user_id = learner
      where l.journey_key = journey and l.withdrawn_at is null) counted);
end $$;

-- Completes a lesson once, and its journey with the last mandatory one, for good. A journey without mandatory lessons is
-- never complete. The enrolment is locked, so that of two last lessons completed at the same moment one sees the other.
-- A function, so that the lock lasts one statement. `outcome`: done; absent (no enrolment); or the status of an enrolment
-- that is not in force.
create or replace function complete_lesson(new_id uuid, learner uuid, journey uuid, lesson uuid, its_locale text, out outcome text)
language plpgsql as $$
declare
  place journey_enrolments;
  now_at integer;
  progress json;
begin
  select e.* into place from journey_enrolments e where e.user_id = learner and e.journey_key = journey for update;
  if not found then
    outcome := 'absent';
    return;
  end if;
  outcome := enrolment_status(place.status, place.expires_on);
  if outcome <> 'enrolled' then
    return;
  end if;
  outcome := 'done';
  select journey_progress(journey, learner, lesson), j.revision into progress, now_at from journeys j where j.key = journey;
  insert into lesson_completions (id, user_id, lesson_key, locale, progress, revision)
  values (new_id, learner, lesson, its_locale, progress, now_at)
  on conflict (user_id, lesson_key) do nothing;
  if place.completed_at is null and (progress ->> 'mandatoryLessons')::integer > 0
    and (progress ->> 'completedLessons')::integer >= (progress ->> 'mandatoryLessons')::integer then
    update journey_enrolments set completed_at = now(), updated_at = now(), seen_revision = now_at where id = place.id;
  end if;
end $$;

-- Completes journeys whose last missing lesson was withdrawn or made optional. The enrolments are locked first: a
-- completion of this moment is then seen here, or sees this change.
create or replace function complete_without(journey_keys uuid[]) returns void language plpgsql as $$
begin
  perform from journey_enrolments where journey_key = any(journey_keys) and completed_at is null
    and status not in ('created', 'pending') order by id for update;
  update journey_enrolments e set completed_at = now(), updated_at = now(), seen_revision = j.revision
  from journeys j
  where j.key = any(journey_keys) and e.journey_key = j.key and e.completed_at is null
    and e.status not in ('created', 'pending')
    and exists (select from lessons l where l.journey_key = j.key and l.withdrawn_at is null and l.mandatory)
    and not exists (
      select from lessons l
      where l.journey_key = j.key and l.withdrawn_at is null and l.mandatory
        and not exists (select from lesson_completions d where d.lesson_key = l.key and d.user_id = e.user_id));
end $$;

-- Writes when somebody started a journey: their first completed lesson.
create or replace function start_enrolment() returns trigger language plpgsql as $$
begin
  update journey_enrolments e set started_at = new.completed_at
  from lessons l
  where l.key = new.lesson_key and e.user_id = new.user_id and e.journey_key = l.journey_key and e.started_at is null;
  return null;
end $$;
create or replace trigger lesson_completions_start after insert on lesson_completions
  for each row execute function start_enrolment();

-- Keeps that moment for people who come back to a journey.
create or replace function resume_enrolment() returns trigger language plpgsql as $$
begin
  new.started_at := (
    select min(d.completed_at) from lessons l join lesson_completions d on d.lesson_key = l.key and d.user_id = new.user_id
    where l.journey_key = new.journey_key);
  return new;
end $$;
create or replace trigger journey_enrolments_resume before insert on journey_enrolments
  for each row execute function resume_enrolment();
