-- Who knows whom, one row for two people; and the pictures people uploaded of themselves.

create table connections (
  id uuid primary key,
  low_id uuid not null references users on delete cascade,  -- of the two the smaller id
  high_id uuid not null references users on delete cascade,
  asker_id uuid not null,                 -- who asked last
  status text not null default 'pending'
    check (status in ('pending', 'accepted', 'declined', 'cancelled', 'removed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), -- when the status last changed
  check (low_id < high_id),
  check (asker_id in (low_id, high_id)),
  unique (low_id, high_id)
);
create index connections_high on connections (high_id);

-- An address alone does not say whose a file is: a profile may name the picture of somebody else.
create table profile_images (
  id uuid primary key,                    -- in the names of the files
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now()
);
create index profile_images_user on profile_images (user_id);
