-- What administrators see and take back of cohorts: uploads with their numbers, files that wait to be confirmed,
-- invitations sent again, due dates, and how far the members are.

-- ------------------------------------------------------------------------------------------------------- uploads
alter table cohort_uploads
  add column total integer not null default 0,
  add column waiting integer not null default 0,
  add column added integer not null default 0,
  add column invited integer not null default 0,
  add column already integer not null default 0,
  add column invalid integer not null default 0,
  add column removed integer not null default 0,
  add column withdrawn integer not null default 0,
  add column kept integer not null default 0,
  add column stopped integer not null default 0,
  add column placed_at timestamptz,       -- when the last address was placed
  add column undo_started_at timestamptz,
  add column undo_position integer not null default -1, -- taken back up to here
  add column undo_finished_at timestamptz;

alter table cohort_upload_rows add column undone text check (undone in ('removed', 'withdrawn', 'kept', 'stopped'));
create index cohort_upload_rows_outcome on cohort_upload_rows (upload_id, outcome, position);

update cohort_uploads u set total = n.total, waiting = n.waiting, added = n.added, invited = n.invited,
  already = n.already, invalid = n.invalid, placed_at = case when n.waiting = 0 then u.created_at end
from (
  select upload_id, count(*) as total, count(*) filter (where outcome is null) as waiting,
    count(*) filter (where outcome = 'added') as added, count(*) filter (where outcome = 'invited') as invited,
    count(*) filter (where outcome = 'already') as already, count(*) filter (where outcome = 'invalid') as invalid
  from cohort_upload_rows group by upload_id) n
where n.upload_id = u.id;

create type upload_row_change as (upload_id uuid, outcome text, undone text, n integer);

-- Its numbers are counted where its rows change, whoever changes them: erasing a person takes rows away too.
create function count_upload_rows() returns trigger language plpgsql as $$
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
create function add_upload_counts(changes upload_row_change[]) returns void language sql as $$
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
create trigger cohort_upload_rows_added after insert on cohort_upload_rows
  referencing new table as added for each statement execute function count_upload_rows();
create trigger cohort_upload_rows_changed after update on cohort_upload_rows
  referencing new table as added old table as gone for each statement execute function count_upload_rows();
create trigger cohort_upload_rows_gone after delete on cohort_upload_rows
  referencing old table as gone for each statement execute function count_upload_rows();

-- A file that was read and waits for its administrator's yes, for an hour.
create table cohort_drafts (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  content bytea not null,                 -- read again when another column is chosen
  columns jsonb not null,                 -- their names and how many addresses each holds
  chosen integer not null,                -- the column with the addresses, from 0
  line_count integer not null,
  emails text[] not null,                 -- distinct and in order
  wrong jsonb not null,                   -- the first of those rows that hold no address
  wrong_count integer not null,
  repeated integer not null,
  fresh integer not null,
  already integer not null,
  inactive integer not null,
  upload_id uuid references cohort_uploads on delete set null, -- what its confirmation began
  created_at timestamptz not null default now()
);
create index cohort_drafts_user on cohort_drafts (user_id, cohort_id);
create index cohort_drafts_cohort on cohort_drafts (cohort_id);
create index cohort_drafts_age on cohort_drafts (created_at);
create trigger refuse_erased after insert on cohort_drafts for each row execute function refuse_erased();

-- --------------------------------------------------------------------------------------- members and invitations
-- Somebody was added alone too, whatever upload named them first: taking that upload back leaves them.
alter table cohort_members add column by_hand boolean not null default false;
alter table cohort_invitations
  add column by_hand boolean not null default false,
  add column sent_again_at timestamptz,
  add column times_sent_again integer not null default 0;
create index cohort_members_upload on cohort_members (upload_id) where upload_id is not null;
create index cohort_invitations_match on cohort_invitations (cohort_id, email text_pattern_ops);
create index cohort_invitations_upload on cohort_invitations (upload_id, id) where upload_id is not null;

-- Invitations that are being sent again, all of a cohort's or of one of its uploads'.
create table cohort_resends (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  upload_id uuid references cohort_uploads on delete cascade,
  locale text not null,
  total integer not null,                 -- invitations there were when it began
  done integer not null default 0,        -- of them looked at
  sent integer not null default 0,
  last_id uuid,                           -- the invitation it has come to
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index cohort_resends_cohort on cohort_resends (cohort_id, created_at desc);

-- What a mail is about, so that one that has not gone yet can be taken back with it.
alter table mails add column about_id uuid;
create index mails_about on mails (about_id) where about_id is not null and status = 'queued';
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check
  check (status in ('queued', 'sent', 'failed', 'expired', 'cancelled'));

-- ---------------------------------------------------------------------------------------------------- how far they are
alter table cohort_products add column due_on date;

-- Since when somebody is under way in a journey: their first finished lesson of it.
alter table journey_enrolments add column started_at timestamptz;
update journey_enrolments e set started_at = f.first from (
  select d.user_id, l.journey_key, min(d.completed_at) as first
  from lesson_completions d join lessons l on l.key = d.lesson_key group by d.user_id, l.journey_key) f
where f.user_id = e.user_id and f.journey_key = e.journey_key;
create index journey_enrolments_progress on journey_enrolments (journey_key, user_id) include (started_at, completed_at);

create function start_enrolment() returns trigger language plpgsql as $$
begin
  update journey_enrolments e set started_at = new.completed_at
  from lessons l
  where l.key = new.lesson_key and e.user_id = new.user_id and e.journey_key = l.journey_key and e.started_at is null;
  return null;
end $$;
create trigger lesson_completions_start after insert on lesson_completions
  for each row execute function start_enrolment();

-- Who comes back to a journey has started it already.
create function resume_enrolment() returns trigger language plpgsql as $$
begin
  new.started_at := (
    select min(d.completed_at) from lessons l join lesson_completions d on d.lesson_key = l.key and d.user_id = new.user_id
    where l.journey_key = new.journey_key);
  return new;
end $$;
create trigger journey_enrolments_resume before insert on journey_enrolments
  for each row execute function resume_enrolment();
