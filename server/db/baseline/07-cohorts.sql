-- Groups of learners: members, invitations, uploads of addresses, and what a group is let into.
create table cohorts (
  id uuid primary key,
  name text not null,
  type text not null,
  primary_partner text not null,
  secondary_partner text,
  notes text,
  booking_code text,
  country_code text,
  funder text,
  support_contact text,
  -- Signs the tokens that page through its members.
  token_key bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Cohorts in the order of their names.
create index cohorts_by_name on cohorts (lower(name), name, id);
-- Cohorts in the order they were made.
create index cohorts_newest on cohorts (created_at, id);

-- The numbers are sums of the rows; triggers keep them.
create table cohort_uploads (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  slug text not null,
  locale text not null,                   -- of the mails to people who have no account yet
  total integer not null default 0,
  waiting integer not null default 0,
  added integer not null default 0,
  invited integer not null default 0,
  already integer not null default 0,
  invalid integer not null default 0,
  removed integer not null default 0,
  withdrawn integer not null default 0,
  kept integer not null default 0,
  stopped integer not null default 0,
  placed_at timestamptz,                  -- when the last address was placed
  undo_started_at timestamptz,
  undo_position integer not null default -1, -- the last row that was taken back
  undo_finished_at timestamptz,
  created_at timestamptz not null default now()
);
-- The uploads of a cohort, newest first.
create index cohort_uploads_cohort on cohort_uploads (cohort_id, created_at desc);

-- Each distinct address of an upload, in order.
create table cohort_upload_rows (
  upload_id uuid not null references cohort_uploads on delete cascade,
  position integer not null,
  email text not null,
  outcome text check (outcome in ('added', 'invited', 'already', 'invalid')), -- null: not placed yet
  reason text,
  undone text check (undone in ('removed', 'withdrawn', 'kept', 'stopped')), -- null: not taken back
  primary key (upload_id, position)
);
-- The uploads that an address is in; once each.
create unique index cohort_upload_rows_email on cohort_upload_rows (email, upload_id);
-- The rows of an upload with one outcome, in order.
create index cohort_upload_rows_outcome on cohort_upload_rows (upload_id, outcome, position);
-- The uploads that are not placed yet.
create index cohort_upload_rows_undone on cohort_upload_rows (upload_id) where outcome is null;

-- The argument of add_upload_counts.
create type upload_row_change as (upload_id uuid, outcome text, undone text, n integer);

create table cohort_members (
  cohort_id uuid not null references cohorts on delete cascade,
  user_id uuid not null references users on delete cascade,
  upload_id uuid references cohort_uploads on delete set null,
  by_hand boolean not null default false, -- added alone too: taking an upload back leaves them
  joined_at timestamptz not null default now(),
  primary key (cohort_id, user_id)
);
-- The cohorts a person is in, which decide access.
create index cohort_members_user on cohort_members (user_id);
-- The members of a cohort in the order they joined.
create index cohort_members_page on cohort_members (cohort_id, joined_at, user_id);
-- The members an upload brought.
create index cohort_members_upload on cohort_members (upload_id) where upload_id is not null;

-- Addresses whose owner becomes a member once they have proven to be it.
create table cohort_invitations (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  email text not null,                    -- lower case
  upload_id uuid references cohort_uploads on delete set null,
  by_hand boolean not null default false, -- invited alone too: taking an upload back leaves it
  sent_again_at timestamptz,
  times_sent_again integer not null default 0,
  created_at timestamptz not null default now(),
  unique (cohort_id, email)
);
-- The invitations of an address that was proven.
create index cohort_invitations_email on cohort_invitations (email);
-- The invitations of a cohort in the order they were made.
create index cohort_invitations_page on cohort_invitations (cohort_id, id);
-- The invitations of a cohort by the beginning of the address.
create index cohort_invitations_match on cohort_invitations (cohort_id, email text_pattern_ops);
-- The invitations an upload made.
create index cohort_invitations_upload on cohort_invitations (upload_id, id) where upload_id is not null;

create table cohort_products (
  cohort_id uuid not null references cohorts on delete cascade,
  entry_id text not null references entries on delete cascade,
  position integer not null,
  due_on date,
  primary key (cohort_id, entry_id)
);
-- The cohorts that are let into an entry.
create index cohort_products_entry on cohort_products (entry_id);

-- A file of addresses that was read and waits for its administrator's confirmation, for an hour.
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
  wrong jsonb not null,                   -- the first rows without an address
  wrong_count integer not null,
  repeated integer not null,
  fresh integer not null,
  already integer not null,
  inactive integer not null,
  upload_id uuid references cohort_uploads on delete set null, -- the upload that its confirmation began
  created_at timestamptz not null default now()
);
-- A person's draft for a cohort.
create index cohort_drafts_user on cohort_drafts (user_id, cohort_id);
-- The drafts of a cohort that is deleted.
create index cohort_drafts_cohort on cohort_drafts (cohort_id);
-- The sweep of old drafts.
create index cohort_drafts_age on cohort_drafts (created_at);

-- Runs that send the invitations of a cohort or of one upload again.
create table cohort_resends (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  upload_id uuid references cohort_uploads on delete cascade,
  locale text not null,
  total integer not null,                 -- invitations when it began
  done integer not null default 0,        -- invitations looked at
  sent integer not null default 0,
  last_id uuid,                           -- the invitation it has come to
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
-- The runs of a cohort, newest first.
create index cohort_resends_cohort on cohort_resends (cohort_id, created_at desc);

-- The members of a cohort as bits: bit n of chunk c is set for the member whose number is 4096 c + n. The bits are right
-- for every cohort without a line in tally_changes; a cohort with one has changed, and its members are read instead.
create table cohort_crowds (
  cohort_id uuid not null references cohorts on delete cascade,
  chunk integer not null,
  people bit(4096) not null,
  primary key (cohort_id, chunk)
);

-- The bits as they follow from the members.
create view counted_crowds as
select m.cohort_id, u.number >> 12 as chunk, bit_or(set_bit(0::bit(4096), u.number & 4095, 1)) as people
from cohort_members m join users u on u.id = m.user_id
group by m.cohort_id, u.number >> 12;
