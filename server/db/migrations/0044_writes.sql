-- What is written most, with less work for the database and without waiting for each other.

-- PostgreSQL below 18 plans a function in SQL anew for each statement that calls it, which takes longer than to run it.
-- These are called by what is written and by every look at what somebody may do; in PL/pgSQL they are planned once.
create or replace function is_granted(person uuid, entry text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select 1 from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = person and p.entry_id = entry);
end $$;

create or replace function note_figure(what text, moment timestamptz, person uuid, course text, by_amount integer)
returns void language plpgsql as $$
begin
  if moment is not null then
    insert into figure_changes (figure, week, user_id, course_id, amount)
    values (what, week_of(moment), person, course, by_amount);
  end if;
end $$;

create or replace function course_of_lesson(lesson uuid) returns text language plpgsql stable as $$
begin
  return (select j.course_id from lessons l join journeys j on j.key = l.journey_key where l.key = lesson);
end $$;
create or replace function course_of_journey(journey uuid) returns text language plpgsql stable as $$
begin
  return (select course_id from journeys where key = journey);
end $$;

create or replace function notify_person(person uuid, what text, object uuid, activity uuid default null, since uuid default null)
returns void language plpgsql as $$
begin
  insert into notifications (id, user_id, event, object_id, activity_id, since_id)
  select new_id(), u.id, what, object, activity, since from users u
  where u.id = person and u.erased_at is null and u.role <> 'inactive'
    and coalesce(current_setting('officium.restoring', true), '') <> 'on'
  on conflict (user_id, event, object_id) where read_at is null do update set updated_at = now()
  where notifications.updated_at < now() - interval '1 minute';
end $$;

create or replace function put_search_document(
  its_kind text, its_id text, its_locale text, its_title text, its_body text, its_time timestamptz,
  its_community uuid default null, its_activity uuid default null, its_journey uuid default null) returns void
language plpgsql as $$
declare
  configuration regconfig := search_configuration(its_locale);
  title text := coalesce(its_title, '');
  body text := left(coalesce(its_body, ''), 200000);
  title_words tsvector := setweight(to_tsvector(configuration, search_words(title)), 'A');
begin
  insert into search_documents as d (kind, object_id, locale, title, body, made_at, community_id, activity_id, journey_key,
    title_words, words)
  values (its_kind, its_id, its_locale, title, body, its_time, its_community, its_activity, its_journey, title_words,
    title_words || setweight(to_tsvector(configuration, search_words(body)), 'C'))
  on conflict on constraint search_documents_pkey do update set title = excluded.title, body = excluded.body,
    made_at = excluded.made_at, title_words = excluded.title_words, words = excluded.words;
end $$;

-- As before; also answers the reaction, so that nothing has to be read again.
drop function add_reaction(uuid, uuid, uuid, uuid, text, text, text, text, jsonb, uuid[], timestamptz);
create function add_reaction(
  new_id uuid, on_activity uuid, on_reaction uuid, reactor uuid, new_kind text, new_body text, new_html text,
  new_locale text, data jsonb, mentions uuid[], made_at timestamptz,
  out outcome text, out reaction_id uuid, out reaction reactions)
language plpgsql as $$
declare
  author uuid;
  parent_kind text;
  level smallint := 1;
  is_direct boolean := on_reaction is null;
  seen integer;
  gained integer := 0;
begin
  select a.author_id into author from activities a where a.id = on_activity and a.deleted_at is null for no key update;
  if not found then
    outcome := 'gone';
    return;
  end if;
  if not is_direct then
    select r.depth + 1, r.kind into level, parent_kind from reactions r
    where r.id = on_reaction and r.activity_id = on_activity and r.deleted_at is null;
    if not found then
      outcome := 'gone';
      return;
    elsif parent_kind <> 'reply' then
      outcome := 'unfit';
      return;
    elsif level > 3 and new_kind = 'reply' then
      outcome := 'deep';
      return;
    end if;
  end if;
  outcome := 'done';

  insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, locale, additional_data,
    mentioned, created_at, updated_at)
  values (new_id, on_activity, on_reaction, level, new_kind, reactor, new_body, new_html, new_locale, data, mentions,
    coalesce(made_at, now()), coalesce(made_at, now()))
  on conflict do nothing
  returning * into reaction;
  if not found then
    -- Two statements, each of which an index serves.
    if is_direct then
      select r.* into reaction from reactions r
      where r.activity_id = on_activity and r.parent_id is null and r.kind = new_kind and r.user_id = reactor
        and r.kind <> 'reply';
    else
      select r.* into reaction from reactions r
      where r.parent_id = on_reaction and r.kind = new_kind and r.user_id = reactor and r.kind <> 'reply';
    end if;
    reaction_id := reaction.id;
    return;
  end if;
  reaction_id := new_id;

  if not is_direct then
    update reactions set like_count = like_count + (new_kind = 'like')::int,
      reply_count = reply_count + (new_kind = 'reply')::int
    where id = on_reaction;
  end if;
  -- Who replies at any depth takes part; the author of the activity does not count.
  if reactor <> author and (new_kind = 'reply' or new_kind = 'like' and is_direct) then
    insert into activity_people as p (activity_id, user_id, kind, times) values (on_activity, reactor, new_kind, 1)
    on conflict (activity_id, user_id, kind) do update set times = p.times + 1
    returning times into seen;
    gained := case when seen > 1 then 0 when new_kind = 'like' then 1 else 2 end;
  end if;
  if is_direct or gained > 0 then
    update activities set
      like_count = like_count + (is_direct and new_kind = 'like')::int,
      reply_count = reply_count + (is_direct and new_kind = 'reply')::int,
      pin_count = pin_count + (is_direct and new_kind = 'pin')::int,
      people_points = people_points + gained,
      hot = activity_hot(people_points + gained, created_at)
    where id = on_activity;
  end if;
end $$;

-- A learner's progress in a journey, in the contract's shape; with `also`, as if that lesson were completed too.
create function journey_progress(journey uuid, learner uuid, also uuid default null) returns json
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

-- Completes a lesson, once, and its journey with the last mandatory one, for good; a journey without mandatory lessons is
-- never complete. The place is locked, so that of two last lessons completed at the same moment one sees the other. A
-- function, so that the lock lasts one statement. `outcome`: done; absent (there is no place); or what the place is
-- instead of in force.
create function complete_lesson(new_id uuid, learner uuid, journey uuid, lesson uuid, its_locale text, out outcome text)
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

-- How many posts and polls a community has, in all (the category is empty) and of each category. Each number is the sum
-- of up to sixteen rows, of which a connection changes always the same: with one, whoever posts in a community would
-- wait until all who post there before them are on the disk. Triggers count, whoever writes.
create table activity_counts (
  community_id uuid not null references communities on delete cascade,
  category text not null,
  part smallint not null,
  n integer not null,
  primary key (community_id, category, part)
) with (fillfactor = 50);

create function activity_count(place uuid, what text default '') returns integer language plpgsql stable as $$
begin
  return (select coalesce(sum(n), 0) from activity_counts where community_id = place and category = what);
end $$;

-- What came and what went, of one statement together; and what became something else, row by row. The rows in one order,
-- so that nobody waits for somebody who waits for them.
create function count_activities() returns trigger language plpgsql as $$
begin
  insert into activity_counts as k (community_id, category, part, n)
  select c.community_id, category, pg_backend_pid() % 16, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed c, unnest(array[''] || c.categories) category
  where c.community_id is not null and c.deleted_at is null
    -- Its numbers go with a community.
    and (tg_op = 'INSERT' or exists (select from communities where id = c.community_id))
  group by c.community_id, category order by c.community_id, category
  on conflict (community_id, category, part) do update set n = k.n + excluded.n;
  return null;
end $$;
create trigger activities_counted_added after insert on activities
  referencing new table as changed for each statement execute function count_activities();
create trigger activities_counted_gone after delete on activities
  referencing old table as changed for each statement execute function count_activities();

create function recount_activity() returns trigger language plpgsql as $$
begin
  insert into activity_counts as k (community_id, category, part, n)
  select community_id, category, pg_backend_pid() % 16, sum(n) from (
    select old.community_id, category, -1 as n from unnest(array[''] || old.categories) category where old.deleted_at is null
    union all
    select new.community_id, category, 1 from unnest(array[''] || new.categories) category where new.deleted_at is null) moved
  where community_id is not null
  group by community_id, category having sum(n) <> 0 order by community_id, category
  on conflict (community_id, category, part) do update set n = k.n + excluded.n;
  return null;
end $$;
create trigger activities_counted_changed after update of deleted_at, categories, community_id on activities
  for each row when ((old.community_id, old.categories, old.deleted_at is null)
    is distinct from (new.community_id, new.categories, new.deleted_at is null)) execute function recount_activity();

insert into activity_counts (community_id, category, part, n)
select community_id, category, 0, count(*) from activities, unnest(array[''] || categories) category
where community_id is not null and deleted_at is null group by community_id, category;

create or replace function restore_activity(old_id uuid) returns boolean
language plpgsql as $$
declare
  a activities;
begin
  update activities set deleted_at = null, deleted_by = null where id = old_id and deleted_at is not null
  returning * into a;
  if not found then
    return false;
  end if;
  if a.community_id is not null then
    -- Search left its replies out with it.
    update reactions set body_html = body_html where activity_id = old_id and kind = 'reply' and deleted_at is null;
  end if;
  return true;
end $$;
