-- Journey revisions record which lessons were added, withdrawn or changed, to compare with the revision a learner
-- completed.

-- Returns the words of a page for comparison: letters and digits only. In scripts without spaces, each character is a
-- word.
create or replace function words_of(html text) returns setof text language sql immutable as $$
  select word from regexp_split_to_table(
    regexp_replace(lower(regexp_replace(html, '<[^>]*>', ' ', 'g')),
      '([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])', ' \1 ', 'g'),
    '[^[:alnum:]]+') word
  where word <> ''
$$;

-- True for a material change: about a sentence of words was added or removed, less in a short text. Formatting,
-- pictures, small corrections and reordered paragraphs do not count.
create or replace function is_material_change(before text, after text) returns boolean language sql immutable as $$
  with counted as (
    select word, sum(was)::int as was, sum(becomes)::int as becomes from (
      select word, 1 as was, 0 as becomes from words_of(before) word
      union all select word, 0, 1 from words_of(after) word) both_of group by word)
  select coalesce(sum(abs(was - becomes)) >= least(8, greatest(2, sum(was) / 5)), false) from counted
$$;

-- Increments the revision of a journey that got new lessons and stores it in them.
create or replace function number_added_lessons() returns trigger language plpgsql as $$
begin
  update journeys set revision = revision + 1 where key in (select journey_key from added);
  update lessons l set added_in = j.revision from added a, journeys j where l.key = a.key and j.key = l.journey_key;
  return null;
end $$;
create or replace trigger lessons_added after insert on lessons
  referencing new table as added for each statement execute function number_added_lessons();

-- Increments the revision of a journey whose lessons were withdrawn or restored and stores it in them. Completes
-- enrolments that have no mandatory lesson left.
create or replace function number_changed_lessons() returns trigger language plpgsql as $$
declare
  lighter uuid[];
begin
  if not exists (select from before b join after a using (key)
      where b.withdrawn_at is distinct from a.withdrawn_at or b.mandatory <> a.mandatory) then
    return null;
  end if;
  update journeys set revision = revision + 1 where key in (
    select a.journey_key from before b join after a using (key)
    where (b.withdrawn_at is null) <> (a.withdrawn_at is null));
  update lessons l set
    withdrawn_in = case when a.withdrawn_at is not null then j.revision end,
    added_in = case when a.withdrawn_at is null then j.revision else l.added_in end
  from before b, after a, journeys j
  where l.key = a.key and a.key = b.key and j.key = a.journey_key
    and (b.withdrawn_at is null) <> (a.withdrawn_at is null);
  select array_agg(distinct a.journey_key) into lighter from before b join after a using (key)
  where (b.withdrawn_at is null and a.withdrawn_at is not null) or (b.mandatory and not a.mandatory);
  perform complete_without(lighter) where lighter is not null;
  return null;
end $$;
create or replace trigger lessons_changed after update on lessons
  referencing old table as before new table as after for each statement execute function number_changed_lessons();

-- Increments the revision of a journey with materially changed texts and stores it in them.
create or replace function number_changed_bodies() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  select array_agg(distinct a.lesson_key) into changed
  from before b join after a on a.lesson_key = b.lesson_key and a.locale = b.locale
  where b.html <> a.html and is_material_change(b.html, a.html);
  if changed is null then
    return null;
  end if;
  update journeys set revision = revision + 1 where key in (select journey_key from lessons where key = any(changed));
  update bodies t set changed_in = j.revision
  from before b, after a, lessons l, journeys j
  where t.lesson_key = any(changed) and a.lesson_key = t.lesson_key and a.locale = t.locale
    and b.lesson_key = a.lesson_key and b.locale = a.locale and b.html <> a.html and is_material_change(b.html, a.html)
    and l.key = t.lesson_key and j.key = l.journey_key;
  return null;
end $$;
create or replace trigger bodies_changed after update on bodies
  referencing old table as before new table as after for each statement execute function number_changed_bodies();

-- Deletes the machine translations of a changed, deleted or withdrawn text.
create or replace function forget_translations() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'poll_options' then
    delete from machine_translations where thing_id = old.poll_id;
  else
    delete from machine_translations where thing_id = old.id;
  end if;
  return null;
end $$;
create or replace trigger forget_translations after delete or update of title, body, body_map, locale, deleted_at on activities
  for each row execute function forget_translations();
create or replace trigger forget_translations after delete or update of body, locale, deleted_at on reactions
  for each row when (old.kind = 'reply') execute function forget_translations();
create or replace trigger forget_translations after delete or update of title, subtitle, body, tldr, locale, withdrawn_at on articles
  for each row execute function forget_translations();
create or replace trigger forget_translations after delete or update of body on poll_options
  for each row execute function forget_translations();

-- Stores the previous slug of a page, whether an import, a content platform event or an author changes it.
-- Arguments: the kind, the key column, and the column within which slugs are unique. A slug that begins with `~` is a
-- temporary value that frees a slug within a transaction.
create or replace function keep_former_slug() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  within text := coalesce(was ->> tg_argv[2], '');
begin
  if old.slug not like '~%' then
    insert into former_slugs (kind, parent, slug, key) values (tg_argv[0], within, old.slug, was ->> tg_argv[1])
    on conflict (kind, parent, slug) do update set key = excluded.key, left_at = now();
  end if;
  delete from former_slugs where kind = tg_argv[0] and parent = within and slug = new.slug;
  return null;
end $$;
create or replace trigger former_slug after update of slug on academies
  for each row when (old.slug <> new.slug) execute function keep_former_slug('academy', 'id');
create or replace trigger former_slug after update of slug on courses
  for each row when (old.slug <> new.slug) execute function keep_former_slug('course', 'id');
create or replace trigger former_slug after update of slug on journeys
  for each row when (old.slug <> new.slug) execute function keep_former_slug('journey', 'key', 'course_id');
create or replace trigger former_slug after update of slug on lessons
  for each row when (old.slug <> new.slug) execute function keep_former_slug('lesson', 'key', 'journey_key');
create or replace trigger former_slug after update of slug on microcourses
  for each row when (old.slug <> new.slug) execute function keep_former_slug('microcourse', 'id');
create or replace trigger former_slug after update of slug on communities
  for each row when (old.slug <> new.slug) execute function keep_former_slug('community', 'id');
