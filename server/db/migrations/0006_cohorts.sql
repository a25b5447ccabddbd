-- Groups of learners, who is in them, who is invited, and what they are let into.
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
create index cohorts_name on cohorts (name, id);
create index cohorts_newest on cohorts (created_at, id);

create table cohort_uploads (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  slug text not null,
  locale text not null,                   -- of the mails to people who have no account yet
  created_at timestamptz not null default now()
);
create index cohort_uploads_cohort on cohort_uploads (cohort_id, created_at desc);

-- Each distinct address of an upload, in order, and what became of it; null: not done yet.
create table cohort_upload_rows (
  upload_id uuid not null references cohort_uploads on delete cascade,
  position integer not null,
  email text not null,
  outcome text check (outcome in ('added', 'invited', 'already', 'invalid')),
  reason text,
  primary key (upload_id, position)
);
create unique index cohort_upload_rows_email on cohort_upload_rows (email, upload_id);

create table cohort_members (
  cohort_id uuid not null references cohorts on delete cascade,
  user_id uuid not null references users on delete cascade,
  upload_id uuid references cohort_uploads on delete set null,
  joined_at timestamptz not null default now(),
  primary key (cohort_id, user_id)
);
create index cohort_members_user on cohort_members (user_id);
create index cohort_members_page on cohort_members (cohort_id, joined_at, user_id);

-- Addresses whose owner becomes a member once they have proven to be it.
create table cohort_invitations (
  id uuid primary key,
  cohort_id uuid not null references cohorts on delete cascade,
  email text not null,                    -- lower case
  upload_id uuid references cohort_uploads on delete set null,
  created_at timestamptz not null default now(),
  unique (cohort_id, email)
);
create index cohort_invitations_email on cohort_invitations (email);
create index cohort_invitations_page on cohort_invitations (cohort_id, id);

create table cohort_products (
  cohort_id uuid not null references cohorts on delete cascade,
  entry_id text not null references entries on delete cascade,
  position integer not null,
  primary key (cohort_id, entry_id)
);
create index cohort_products_entry on cohort_products (entry_id);

-- Does a cohort the person is in let them into this entry?
create function is_granted(person uuid, entry text) returns boolean language sql stable as $$
  select exists (
    select 1 from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = person and p.entry_id = entry)
$$;
