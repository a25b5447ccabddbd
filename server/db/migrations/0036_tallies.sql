-- How many there are of what administrators page through. Counting them takes longer the more there are; instead every
-- change leaves a line, in its own transaction and without a lock on anything others write, and a job adds the lines to
-- the sums from time to time. The sums and the lines together are the number at every moment.

create table tallies (
  thing text not null,
  key text not null,                      -- what they are told apart by
  n bigint not null,
  primary key (thing, key) include (n)
);
create table tally_changes (
  thing text not null,
  key text not null,
  n bigint not null
);
create index tally_changes_key on tally_changes (thing, key);

create view tallied as
select thing, key, n from tallies union all select thing, key, n from tally_changes;

-- Adds the lines to the sums. One at a time; what is read and what is deleted is one statement's snapshot, so that a
-- line is added once, however often and wherever this runs.
create function fold_tallies() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tallies', 0));
  with taken as (delete from tally_changes returning thing, key, n)
  insert into tallies as t (thing, key, n)
  select thing, key, sum(n) from taken group by thing, key
  on conflict (thing, key) do update set n = t.n + excluded.n;
  delete from tallies where n = 0;
end $$;

-- An account by role, state and who may see it; null: it is erased. The states are those of contract/admin-people.ts.
create function person_tally(role text, email_proven_at timestamptz, registration_status text, visibility text,
  erased_at timestamptz) returns text language sql immutable parallel safe as $$
  select case when erased_at is null then role || ' ' || case
    when email_proven_at is null then 'unproven'
    when role = 'inactive' then 'inactive'
    when role = 'non-public-servant' and registration_status = 'pending' then 'waiting'
    when registration_status = 'refused' then 'refused'
    else 'active' end || ' ' || visibility end
$$;

-- What came and what went, of one statement together; and what became something else, row by row.
create function tally_people() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'people', person_tally(role, email_proven_at, registration_status, visibility, erased_at) as key,
    case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed where erased_at is null group by key;
  return null;
end $$;
create function tally_cohort_members() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohort_members', cohort_id::text, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by cohort_id;
  return null;
end $$;
create function tally_cohort_invitations() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohort_invitations', cohort_id::text, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by cohort_id;
  return null;
end $$;
create function tally_community_members() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'community_members', community_id || ' ' || role, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by community_id, role;
  return null;
end $$;
create function tally_bulk_enrolments() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'bulk_enrolments', type || ' ' || status, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by type, status;
  return null;
end $$;
create function tally_mails() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'mails', status, case tg_op when 'INSERT' then 1 else -1 end * count(*) from changed group by status;
  return null;
end $$;

create function move_tally(what text, old_key text, new_key text) returns void language sql as $$
  insert into tally_changes
  select what, key, n from (values (old_key, -1), (new_key, 1)) moved (key, n) where key is not null
$$;
create function move_person_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('people',
    person_tally(old.role, old.email_proven_at, old.registration_status, old.visibility, old.erased_at),
    person_tally(new.role, new.email_proven_at, new.registration_status, new.visibility, new.erased_at));
  return null;
end $$;
create function move_community_member_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('community_members', old.community_id || ' ' || old.role, new.community_id || ' ' || new.role);
  return null;
end $$;
create function move_bulk_enrolment_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('bulk_enrolments', old.type || ' ' || old.status, new.type || ' ' || new.status);
  return null;
end $$;
create function move_mail_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('mails', old.status, new.status);
  return null;
end $$;
create function move_cohort_tally() returns trigger language plpgsql as $$
begin
  perform move_tally(tg_table_name, old.cohort_id::text, new.cohort_id::text);
  return null;
end $$;

create trigger tally_added after insert on users
  referencing new table as changed for each statement execute function tally_people();
create trigger tally_gone after delete on users
  referencing old table as changed for each statement execute function tally_people();
create trigger tally_moved after update on users for each row
  when ((old.role, old.email_proven_at is null, old.registration_status, old.visibility, old.erased_at is null)
    is distinct from (new.role, new.email_proven_at is null, new.registration_status, new.visibility, new.erased_at is null))
  execute function move_person_tally();

create trigger tally_added after insert on cohort_members
  referencing new table as changed for each statement execute function tally_cohort_members();
create trigger tally_gone after delete on cohort_members
  referencing old table as changed for each statement execute function tally_cohort_members();
create trigger tally_moved after update on cohort_members for each row
  when (old.cohort_id <> new.cohort_id) execute function move_cohort_tally();

create trigger tally_added after insert on cohort_invitations
  referencing new table as changed for each statement execute function tally_cohort_invitations();
create trigger tally_gone after delete on cohort_invitations
  referencing old table as changed for each statement execute function tally_cohort_invitations();
create trigger tally_moved after update on cohort_invitations for each row
  when (old.cohort_id <> new.cohort_id) execute function move_cohort_tally();

create trigger tally_added after insert on community_members
  referencing new table as changed for each statement execute function tally_community_members();
create trigger tally_gone after delete on community_members
  referencing old table as changed for each statement execute function tally_community_members();
create trigger tally_moved after update on community_members for each row
  when ((old.community_id, old.role) <> (new.community_id, new.role)) execute function move_community_member_tally();

create trigger tally_added after insert on bulk_enrolments
  referencing new table as changed for each statement execute function tally_bulk_enrolments();
create trigger tally_gone after delete on bulk_enrolments
  referencing old table as changed for each statement execute function tally_bulk_enrolments();
create trigger tally_moved after update on bulk_enrolments for each row
  when ((old.type, old.status) <> (new.type, new.status)) execute function move_bulk_enrolment_tally();

create trigger tally_added after insert on mails
  referencing new table as changed for each statement execute function tally_mails();
create trigger tally_gone after delete on mails
  referencing old table as changed for each statement execute function tally_mails();
create trigger tally_moved after update on mails for each row
  when (old.status <> new.status) execute function move_mail_tally();

-- What is there already.
insert into tallies (thing, key, n)
select 'people', person_tally(role, email_proven_at, registration_status, visibility, erased_at) as key, count(*)
  from users where erased_at is null group by key
union all select 'cohort_members', cohort_id::text, count(*) from cohort_members group by cohort_id
union all select 'cohort_invitations', cohort_id::text, count(*) from cohort_invitations group by cohort_id
union all select 'community_members', community_id || ' ' || role, count(*) from community_members group by community_id, role
union all select 'bulk_enrolments', type || ' ' || status, count(*) from bulk_enrolments group by type, status
union all select 'mails', status, count(*) from mails group by status;
