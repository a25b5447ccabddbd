-- What is written most, with less work again.

-- A function in SQL that the condition of a trigger or the text of a generated column calls is parsed anew by each statement
-- that writes to the table, on every PostgreSQL. In PL/pgSQL it is once for each connection.
create or replace function is_news(at timestamptz) returns boolean language plpgsql stable as $$
begin
  return at > now() - interval '1 hour';
end $$;

create or replace function search_form(given text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return lower(public.unaccent('public.unaccent', given));
end $$;

-- What belongs to no lesson or journey is looked up nowhere.
alter function course_of_lesson(uuid) strict;
alter function course_of_journey(uuid) strict;

-- Not asked of changes of counters, which are most.
drop trigger figures_change on activities;
create trigger figures_change after update of created_at, deleted_at, author_id on activities for each row
  when ((old.created_at, old.deleted_at, old.author_id) is distinct from (new.created_at, new.deleted_at, new.author_id))
  execute function figures_of_post();
drop trigger figures_change on reactions;
create trigger figures_change after update of created_at, deleted_at, user_id on reactions for each row
  when (new.kind = 'reply' and (old.created_at, old.deleted_at, old.user_id)
    is distinct from (new.created_at, new.deleted_at, new.user_id))
  execute function figures_of_reply();
drop trigger figures_change on journey_enrolments;
create trigger figures_change after update of created_at, completed_at on journey_enrolments for each row
  when ((old.created_at, old.completed_at) is distinct from (new.created_at, new.completed_at))
  execute function figures_of_enrolment();
