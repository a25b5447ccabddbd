-- What changed in a journey since somebody finished it.

-- Counts what happened to a journey's lessons. Times would not do: an import takes long, and who finishes meanwhile
-- finishes what stood before it, whatever the clock says.
alter table journeys add revision integer not null default 0;
alter table lessons
  add added_in integer not null default 0,   -- the revision it came, or came back, with
  add withdrawn_in integer;
alter table bodies add changed_in integer not null default 0;
alter table lesson_completions add revision integer not null default 0; -- that was read
alter table journey_enrolments add seen_revision integer not null default 0; -- finished with, or told of since

create index journey_enrolments_unfinished on journey_enrolments (journey_key) where completed_at is null;

-- Words of a page, for comparing: letters and digits only; scripts without spaces count by the letter.
create function words_of(html text) returns setof text language sql immutable as $$
  select word from regexp_split_to_table(
    regexp_replace(lower(regexp_replace(html, '<[^>]*>', ' ', 'g')),
      '([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])', ' \1 ', 'g'),
    '[^[:alnum:]]+') word
  where word <> ''
$$;

-- Whether a page says something else than before: a sentence's worth of words came or went, less in a short text.
-- Marks, pictures, spelling put right and paragraphs in another order do not.
create function is_material_change(before text, after text) returns boolean language sql immutable as $$
  with counted as (
    select word, sum(was)::int as was, sum(becomes)::int as becomes from (
      select word, 1 as was, 0 as becomes from words_of(before) word
      union all select word, 0, 1 from words_of(after) word) both_of group by word)
  select coalesce(sum(abs(was - becomes)) >= least(8, greatest(2, sum(was) / 5)), false) from counted
$$;

create function number_added_lessons() returns trigger language plpgsql as $$
begin
  update journeys set revision = revision + 1 where key in (select journey_key from added);
  update lessons l set added_in = j.revision from added a, journeys j where l.key = a.key and j.key = l.journey_key;
  return null;
end $$;
create trigger lessons_added after insert on lessons
  referencing new table as added for each statement execute function number_added_lessons();

-- A lesson that goes, or need not be done any more, may have been the last that somebody lacked. Their places are held
-- first: what is being completed at this moment is then seen here, or sees this.
create function complete_without(journey_keys uuid[]) returns void language plpgsql as $$
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

create function number_changed_lessons() returns trigger language plpgsql as $$
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
create trigger lessons_changed after update on lessons
  referencing old table as before new table as after for each statement execute function number_changed_lessons();

create function number_changed_bodies() returns trigger language plpgsql as $$
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
create trigger bodies_changed after update on bodies
  referencing old table as before new table as after for each statement execute function number_changed_bodies();
