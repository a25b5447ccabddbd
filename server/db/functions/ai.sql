-- Token budgets and passages of the assistant.

-- Takes tokens for a call. Returns 'taken', or the exhausted quota: 'person' or 'everybody'. Returns 'busy' while the
-- person has the maximum number of running calls. Calls serialise on the person's row and then the day's row.
create or replace function take_ai_tokens(
  call uuid, person uuid, wanted integer, most_a_person integer, most_a_day bigint, at_once integer) returns text
language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
begin
  insert into ai_person_tokens (user_id, day) values (person, today) on conflict do nothing;
  perform from ai_person_tokens where user_id = person and day = today and tokens + wanted <= most_a_person for update;
  if not found then
    return 'person';
  end if;
  if (select count(*) from ai_calls
      where user_id = person and begun_at > clock_timestamp() - interval '1 minute') >= at_once then
    return 'busy';
  end if;
  insert into ai_tokens (day) values (today) on conflict do nothing;
  update ai_tokens set tokens = tokens + wanted where day = today and tokens + wanted <= most_a_day;
  if not found then
    return 'everybody';
  end if;
  update ai_person_tokens set tokens = tokens + wanted where user_id = person and day = today;
  insert into ai_calls (id, user_id, day, tokens) values (call, person, today, wanted);
  return 'taken';
end $$;

-- Replaces the reserved tokens of a call with the used ones, once.
create or replace function settle_ai_tokens(call uuid, used integer) returns void language plpgsql as $$
declare
  taken ai_calls;
begin
  delete from ai_calls where id = call returning * into taken;
  if not found then
    return;
  end if;
  update ai_person_tokens set tokens = greatest(tokens - taken.tokens + used, 0)
  where user_id = taken.user_id and day = taken.day;
  update ai_tokens set tokens = greatest(tokens - taken.tokens + used, 0) where day = taken.day;
end $$;

-- Deletes the passages of a lesson whose text changed.
create or replace function forget_passages() returns trigger language plpgsql as $$
begin
  delete from passage_sets where lesson_key = old.lesson_key and locale = old.locale;
  return null;
end $$;
create or replace trigger forget_passages after delete or update of html, locale on bodies
  for each row when (old.lesson_key is not null) execute function forget_passages();

-- Deletes the passages of a lesson whose title changed, because they index the title.
create or replace function forget_passages_of_lesson() returns trigger language plpgsql as $$
begin
  delete from passage_sets where lesson_key = old.key;
  return null;
end $$;
create or replace trigger forget_passages_of_lesson after update of title on lessons
  for each row when (old.title is distinct from new.title) execute function forget_passages_of_lesson();
