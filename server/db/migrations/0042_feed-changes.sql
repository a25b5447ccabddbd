-- Which transactions changed what everybody sees of the feed of a community. A process remembers first pages, and asks
-- with each request whether a transaction changed something since: one it could not see when it read the page has a
-- number at or above the lowest that was then under way. Rows are added by the writer and never changed, so no writer
-- waits for another; the sweep takes them away after hours.
create table feed_changes (
  community_id uuid not null,             -- zero: of all communities, such as somebody's name
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default now(),
  primary key (community_id, xid)
);

create function note_activity_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.community_id is not null then
    insert into feed_changes (community_id) values (new.community_id) on conflict do nothing;
  end if;
  if tg_op <> 'INSERT' and old.community_id is not null
    and (tg_op = 'DELETE' or new.community_id is distinct from old.community_id) then
    insert into feed_changes (community_id) values (old.community_id) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger feed_changes after insert or update or delete on activities
  for each row execute function note_activity_change();

-- A poll comes and goes with its activity.
create function note_poll_change() returns trigger language plpgsql as $$
begin
  insert into feed_changes (community_id)
  select a.community_id from activities a where a.id = new.poll_id and a.community_id is not null
  on conflict do nothing;
  return null;
end $$;
create trigger feed_changes after update on poll_options for each row execute function note_poll_change();

create function note_poll_rules_change() returns trigger language plpgsql as $$
begin
  insert into feed_changes (community_id)
  select a.community_id from activities a where a.id = new.id and a.community_id is not null
  on conflict do nothing;
  return null;
end $$;
create trigger feed_changes after update of
  allow_multiple_votes, deadline_at, hide_participants, number_of_winners, results_visibility
  on polls for each row execute function note_poll_rules_change();

create function note_person_change() returns trigger language plpgsql as $$
begin
  insert into feed_changes (community_id) values ('00000000-0000-0000-0000-000000000000') on conflict do nothing;
  return null;
end $$;
create trigger feed_changes after update of name, image_thumbnail, job_title, organization, badges, visibility, erased_at
  on users for each row when (
    (old.name, old.image_thumbnail, old.job_title, old.organization, old.badges, old.visibility, old.erased_at)
    is distinct from
    (new.name, new.image_thumbnail, new.job_title, new.organization, new.badges, new.visibility, new.erased_at))
  execute function note_person_change();
