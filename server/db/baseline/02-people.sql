-- People, the rules that approve them, and their connections.
create table users (
  id uuid primary key,
  number integer generated always as identity unique, -- the person's bit in cohort_crowds
  email text unique,                      -- lower case; null once erased
  email_proven_at timestamptz,
  password_hash text,
  second_factor boolean not null default false, -- a sign-in needs one; changes with the first and last factor
  role text not null default 'non-public-servant'
    check (role in ('administrator', 'public-servant', 'non-public-servant', 'inactive')),
  name text not null,
  nickname text,
  member_type text,
  job_title text,
  organization text,
  location jsonb,                         -- {id, en, code}
  biography text,
  bio_link text,
  image_full text,
  image_thumbnail text,
  locale text not null default 'en',
  locale_chosen boolean not null default false,
  visibility text not null default 'default' check (visibility in ('default', 'public', 'private')),
  badges jsonb not null default '{}',     -- {communities: {slug: …}, …}
  onboarding_state text,
  sign_up jsonb not null default '{}',    -- optIn, freeCourse, courseInterest, page, ref …
  approved_by_rule uuid,
  registration_status text check (registration_status in ('pending', 'approved', 'refused')), -- null: did not sign up
  registration_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erased_at timestamptz,
  actor_json text not null default '',    -- the contract's Actor, for readers who may see the profile; written by a trigger
  search_text text not null generated always as (
    public.search_form(name || coalesce(' · ' || job_title, '') || coalesce(' · ' || organization, ''))) stored
);
-- Members of a community by a part of their name.
create index users_name_trgm on users using gin (name gin_trgm_ops);
-- People by parts of what their profile says.
create index users_search on users using gin (search_text gin_trgm_ops) where erased_at is null;
-- People by words of one or two signs, which have no trigrams.
create index users_signs on users using gin (search_signs(search_text)) where erased_at is null;
-- Accounts by a part of their address, for administrators.
create index users_email_trgm on users using gin (email gin_trgm_ops) where erased_at is null;
-- Accounts in the order of their names.
create index users_by_name on users (lower(name), id) where erased_at is null;
-- Accounts of one role, in the order of their names.
create index users_by_role on users (role, lower(name), id) where erased_at is null;
-- Accounts in the order they were made.
create index users_oldest on users (created_at, id) where erased_at is null;
-- The directory of people whose profile is public, in the order of their names.
create index users_public_by_name on users (lower(name), id)
  where visibility = 'public' and erased_at is null and email_proven_at is not null and role <> 'inactive';
-- Accounts in use, with what a preview of permissions needs of each: read from the index alone.
create index users_in_use on users (id) include (role, number)
  where email_proven_at is not null and erased_at is null and role <> 'inactive';
-- The list of accounts that wait for approval.
create index users_waiting on users (id) where registration_status = 'pending' and erased_at is null;
-- The number of sign-ups that wait, in the administration's overview.
create index users_pending on users (created_at) where registration_status = 'pending';
-- People who have a badge of a community that was renamed, hidden or shown.
create index users_community_badges on users using gin ((badges->'communities')) where badges ? 'communities';

create table auto_approvals (
  id uuid primary key,
  type text not null check (type in ('domain', 'email', 'partialDomain')),
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (type, value)
);
-- The rules that match an address, whatever their case.
create index auto_approvals_value on auto_approvals (lower(value));

-- One row for two people.
create table connections (
  id uuid primary key,
  low_id uuid not null references users on delete cascade,  -- the smaller id of the two
  high_id uuid not null references users on delete cascade,
  asker_id uuid not null,                 -- the one who asked last
  status text not null default 'pending'
    check (status in ('pending', 'accepted', 'declined', 'cancelled', 'removed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), -- when the status last changed
  check (low_id < high_id),
  check (asker_id in (low_id, high_id)),
  unique (low_id, high_id)
);
-- A person's connections where theirs is the larger id; the unique key finds the others.
create index connections_high on connections (high_id);

-- Pictures that people uploaded of themselves. An address does not prove whose a file is: a profile may name another
-- person's picture.
create table profile_images (
  id uuid primary key,                    -- in the names of the files
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now()
);
-- A person's pictures.
create index profile_images_user on profile_images (user_id);
