-- Functions that columns, indexes, views and the conditions of triggers depend on. They are applied before the tables
-- and before migrations. A change of their results also needs a migration that rebuilds the dependent indexes and
-- generated columns.

-- A UUIDv7 like the application's, for rows that are created inside a statement.
create or replace function new_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- A text in lower case and without accents. unaccent with an explicit dictionary is immutable, so a generated column
-- may use it.
create or replace function search_form(given text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  return lower(public.unaccent('public.unaccent', given));
end $$;

-- The single characters and pairs of scripts without spaces: trigrams find no word of one or two characters.
create or replace function search_signs(given text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct sign), '{}')
  from regexp_matches(given, '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+', 'g') run (signs),
    generate_series(1, length(signs[1])) nth, generate_series(1, 2) size, substr(signs[1], nth, size) sign
$$;

-- 1 for a user who completed a lesson or wrote something that week. Enrolments do not count, since others may create
-- them.
create or replace function is_active_week(lessons bigint, posts bigint, replies bigint) returns integer
  language sql immutable parallel safe as $$
  select case when coalesce(lessons, 0) + coalesce(posts, 0) + coalesce(replies, 0) > 0 then 1 else 0 end
$$;

-- False for rows that are older than an hour when they arrive (an import, the demo): nobody is notified of them, and slow
-- mode does not apply to them.
create or replace function is_news(at timestamptz) returns boolean language plpgsql stable as $$
begin
  return at > now() - interval '1 hour';
end $$;
