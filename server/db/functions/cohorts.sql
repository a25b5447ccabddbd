-- Counters of uploads.

-- Adds changes of rows to the counters of their uploads.
create or replace function add_upload_counts(changes upload_row_change[]) returns void language sql as $$
  update cohort_uploads u set total = u.total + d.total, waiting = u.waiting + d.waiting, added = u.added + d.added,
    invited = u.invited + d.invited, already = u.already + d.already, invalid = u.invalid + d.invalid,
    removed = u.removed + d.removed, withdrawn = u.withdrawn + d.withdrawn, kept = u.kept + d.kept,
    stopped = u.stopped + d.stopped,
    placed_at = case when u.waiting + d.waiting > 0 then null else coalesce(u.placed_at, now()) end
  from (
    select c.upload_id, sum(n) as total,
      coalesce(sum(n) filter (where outcome is null and undone is null), 0) as waiting,
      coalesce(sum(n) filter (where outcome = 'added'), 0) as added,
      coalesce(sum(n) filter (where outcome = 'invited'), 0) as invited,
      coalesce(sum(n) filter (where outcome = 'already'), 0) as already,
      coalesce(sum(n) filter (where outcome = 'invalid'), 0) as invalid,
      coalesce(sum(n) filter (where undone = 'removed'), 0) as removed,
      coalesce(sum(n) filter (where undone = 'withdrawn'), 0) as withdrawn,
      coalesce(sum(n) filter (where undone = 'kept'), 0) as kept,
      coalesce(sum(n) filter (where undone = 'stopped'), 0) as stopped
    from unnest(changes) c group by c.upload_id) d
  where u.id = d.upload_id
$$;

-- A trigger counts the rows, because they also change outside uploads: erasing a person deletes rows.
create or replace function count_upload_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_upload_counts(array(select row(upload_id, outcome, undone, 1)::upload_row_change from added));
  elsif tg_op = 'DELETE' then
    perform add_upload_counts(array(select row(upload_id, outcome, undone, -1)::upload_row_change from gone));
  else
    perform add_upload_counts(
      array(select row(upload_id, outcome, undone, 1)::upload_row_change from added
        union all select row(upload_id, outcome, undone, -1)::upload_row_change from gone));
  end if;
  return null;
end $$;
create or replace trigger cohort_upload_rows_added after insert on cohort_upload_rows
  referencing new table as added for each statement execute function count_upload_rows();
create or replace trigger cohort_upload_rows_changed after update on cohort_upload_rows
  referencing new table as added old table as gone for each statement execute function count_upload_rows();
create or replace trigger cohort_upload_rows_gone after delete on cohort_upload_rows
  referencing old table as gone for each statement execute function count_upload_rows();

-- Notes new members of cohorts that enrol at once; a job enrols them.
create or replace function note_joiners() returns trigger language plpgsql as $$
begin
  insert into cohort_joiners (cohort_id, user_id)
  select m.cohort_id, m.user_id from added m join cohorts c on c.id = m.cohort_id and c.enrols_at_once
  on conflict do nothing;
  return null;
end $$;
create or replace trigger cohort_members_joined after insert on cohort_members
  referencing new table as added for each statement execute function note_joiners();
