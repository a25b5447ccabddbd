-- Counters for long lists. A statement adds one line for each group of rows it inserts or deletes; a row that changes
-- its group adds two lines.

-- Adds the lines to the sums. One run at a time. Reading and deleting share one snapshot, so a line is added once,
-- however often and wherever this runs.
create or replace function fold_tallies() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('tallies', 0));
  with taken as (delete from tally_changes returning thing, key, n)
  insert into tallies as t (thing, key, n)
  select thing, key, sum(n) from taken group by thing, key
  on conflict (thing, key) do update set n = t.n + excluded.n;
  delete from tallies where n = 0;
end $$;

-- Rebuilds the bitmaps of a cohort's members when its lines are taken, in the same transaction. The members are read
-- after the lines were taken: a concurrent change has a line that still waits.
create or replace function follow_crowds() returns trigger language plpgsql as $$
declare
  changed uuid[] := array(select distinct key::uuid from taken where thing = 'cohort_members');
begin
  -- Lock the cohorts that still exist, so that none is deleted meanwhile.
  changed := array(select id from cohorts where id = any(changed) order by id for key share);
  delete from cohort_crowds where cohort_id = any(changed);
  insert into cohort_crowds select cohort_id, chunk, people from counted_crowds where cohort_id = any(changed);
  return null;
end $$;
create or replace trigger follow_crowds after delete on tally_changes
  referencing old table as taken for each statement execute function follow_crowds();

-- The group of an account: role, state and visibility; null: erased. The states are those of contract/admin-people.ts.
create or replace function person_tally(role text, email_proven_at timestamptz, registration_status text, visibility text,
  erased_at timestamptz) returns text language sql immutable parallel safe as $$
  select case when erased_at is null then role || ' ' || case
    when email_proven_at is null then 'unproven'
    when role = 'inactive' then 'inactive'
    when role = 'non-public-servant' and registration_status = 'pending' then 'waiting'
    when registration_status = 'refused' then 'refused'
    else 'active' end || ' ' || visibility end
$$;

-- Adds the two lines of a row that changed its group.
create or replace function move_tally(what text, old_key text, new_key text) returns void language sql as $$
  insert into tally_changes
  select what, key, n from (values (old_key, -1), (new_key, 1)) moved (key, n) where key is not null
$$;

-- Counts accounts.
create or replace function tally_people() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'people', person_tally(role, email_proven_at, registration_status, visibility, erased_at) as key,
    case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed where erased_at is null group by key;
  return null;
end $$;
create or replace trigger tally_added after insert on users
  referencing new table as changed for each statement execute function tally_people();
create or replace trigger tally_gone after delete on users
  referencing old table as changed for each statement execute function tally_people();
create or replace function move_person_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('people',
    person_tally(old.role, old.email_proven_at, old.registration_status, old.visibility, old.erased_at),
    person_tally(new.role, new.email_proven_at, new.registration_status, new.visibility, new.erased_at));
  return null;
end $$;
create or replace trigger tally_moved after update on users for each row
  when ((old.role, old.email_proven_at is null, old.registration_status, old.visibility, old.erased_at is null)
    is distinct from (new.role, new.email_proven_at is null, new.registration_status, new.visibility, new.erased_at is null))
  execute function move_person_tally();

-- Counts cohorts.
create or replace function tally_cohorts() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohorts', '', case tg_op when 'INSERT' then 1 else -1 end * count(*) from changed having count(*) > 0;
  return null;
end $$;
create or replace trigger tally_added after insert on cohorts
  referencing new table as changed for each statement execute function tally_cohorts();
create or replace trigger tally_gone after delete on cohorts
  referencing old table as changed for each statement execute function tally_cohorts();

-- Counts members of cohorts. Replacing one person by another also changes the cohort.
create or replace function tally_cohort_members() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohort_members', cohort_id::text, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by cohort_id;
  return null;
end $$;
create or replace trigger tally_added after insert on cohort_members
  referencing new table as changed for each statement execute function tally_cohort_members();
create or replace trigger tally_gone after delete on cohort_members
  referencing old table as changed for each statement execute function tally_cohort_members();

-- Counts invitations of cohorts.
create or replace function tally_cohort_invitations() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'cohort_invitations', cohort_id::text, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by cohort_id;
  return null;
end $$;
create or replace trigger tally_added after insert on cohort_invitations
  referencing new table as changed for each statement execute function tally_cohort_invitations();
create or replace trigger tally_gone after delete on cohort_invitations
  referencing old table as changed for each statement execute function tally_cohort_invitations();
create or replace function move_cohort_tally() returns trigger language plpgsql as $$
begin
  perform move_tally(tg_table_name, old.cohort_id::text, new.cohort_id::text);
  return null;
end $$;
create or replace trigger tally_moved after update on cohort_invitations for each row
  when (old.cohort_id <> new.cohort_id) execute function move_cohort_tally();
create or replace trigger tally_moved after update on cohort_members for each row
  when ((old.cohort_id, old.user_id) is distinct from (new.cohort_id, new.user_id)) execute function move_cohort_tally();

-- Counts members of communities by role.
create or replace function tally_community_members() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'community_members', community_id || ' ' || role, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by community_id, role;
  return null;
end $$;
create or replace trigger tally_added after insert on community_members
  referencing new table as changed for each statement execute function tally_community_members();
create or replace trigger tally_gone after delete on community_members
  referencing old table as changed for each statement execute function tally_community_members();
create or replace function move_community_member_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('community_members', old.community_id || ' ' || old.role, new.community_id || ' ' || new.role);
  return null;
end $$;
create or replace trigger tally_moved after update on community_members for each row
  when ((old.community_id, old.role) <> (new.community_id, new.role)) execute function move_community_member_tally();

-- Counts enrolments by e-mail address.
create or replace function tally_bulk_enrolments() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'bulk_enrolments', type || ' ' || status, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed group by type, status;
  return null;
end $$;
create or replace trigger tally_added after insert on bulk_enrolments
  referencing new table as changed for each statement execute function tally_bulk_enrolments();
create or replace trigger tally_gone after delete on bulk_enrolments
  referencing old table as changed for each statement execute function tally_bulk_enrolments();
create or replace function move_bulk_enrolment_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('bulk_enrolments', old.type || ' ' || old.status, new.type || ' ' || new.status);
  return null;
end $$;
create or replace trigger tally_moved after update on bulk_enrolments for each row
  when ((old.type, old.status) <> (new.type, new.status)) execute function move_bulk_enrolment_tally();

-- Counts mails by status.
create or replace function tally_mails() returns trigger language plpgsql as $$
begin
  insert into tally_changes
  select 'mails', status, case tg_op when 'INSERT' then 1 else -1 end * count(*) from changed group by status;
  return null;
end $$;
create or replace trigger tally_added after insert on mails
  referencing new table as changed for each statement execute function tally_mails();
create or replace trigger tally_gone after delete on mails
  referencing old table as changed for each statement execute function tally_mails();
create or replace function move_mail_tally() returns trigger language plpgsql as $$
begin
  perform move_tally('mails', old.status, new.status);
  return null;
end $$;
create or replace trigger tally_moved after update on mails for each row
  when (old.status <> new.status) execute function move_mail_tally();
