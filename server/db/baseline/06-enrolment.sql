-- Enrolments in journeys, access given by e-mail address, and referrals.
create table journey_enrolments (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  journey_key uuid not null references journeys on delete cascade,
  locale text not null default 'en',
  status text not null default 'enrolled' check (status in ('created', 'pending', 'enrolled', 'expired')),
  expires_on timestamptz,
  started_at timestamptz,                 -- when the first lesson was completed; written by triggers
  completed_at timestamptz,
  seen_revision integer not null default 0, -- the journey's revision that was completed, or shown since
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, journey_key)
);
-- The enrolments of a journey in one status.
create index journey_enrolments_journey on journey_enrolments (journey_key, status);
-- The progress of a cohort's members in a journey, and the number of people enrolled: read from the index alone.
create index journey_enrolments_progress on journey_enrolments (journey_key, user_id)
  include (started_at, completed_at, status, expires_on);
-- Enrolments that a journey with fewer mandatory lessons completes.
create index journey_enrolments_unfinished on journey_enrolments (journey_key) where completed_at is null;
-- Enrolments that end soon, for reminders.
create index journey_enrolments_end on journey_enrolments (expires_on) where expires_on is not null and completed_at is null;

-- Access given by address, before or after there is an account.
create table bulk_enrolments (
  id uuid primary key,
  email text not null,                    -- lower case
  type text not null check (type in ('courses', 'communities')),
  slug text not null,                     -- of the course or community
  journey_slug text not null default '',  -- empty: every journey of the course
  status text not null default 'created' check (status in ('created', 'pending', 'enrolled', 'expired')),
  expires_on timestamptz,
  metadata jsonb not null default '{}',
  user_defaults jsonb not null default '{}',
  cohort_ids uuid[] not null default '{}',
  granted_at timestamptz,                 -- when the owner of the address got access; null: still waiting
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email, type, slug, journey_slug)
);
-- Records by stored status and type.
create index bulk_enrolments_status on bulk_enrolments (status, type);
-- Records of one stored status, newest first.
create index bulk_enrolments_page on bulk_enrolments (status, id desc);
-- Memberships whose time has passed, for the job that ends them.
create index bulk_enrolments_end on bulk_enrolments (expires_on) where expires_on is not null;
-- Records that have expired by the clock and are stored otherwise.
create index bulk_enrolments_overdue on bulk_enrolments (expires_on) where expires_on is not null and status <> 'expired';
-- Records that are stored as expired and got a later end.
create index bulk_enrolments_revived on bulk_enrolments (expires_on) where expires_on is not null and status = 'expired';

-- Recommendations to colleagues.
create table referrals (
  id uuid primary key,
  referrer_id uuid references users on delete cascade, -- null: made by a service
  email text not null,
  type text not null check (type in ('events', 'microcourses', 'communities', 'courses')),
  slug text not null,
  removed_at timestamptz,                 -- the row is kept, so that making it again neither mails again nor escapes the limit
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (referrer_id, email, type, slug)
);
-- The referrals of an address.
create index referrals_email on referrals (email);
