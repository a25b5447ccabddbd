-- Large files that arrive in parts, over hours and several connections. Their space is reserved.
create table resumable_uploads (
  id uuid primary key,                        -- the file is uploads/<id> until it is complete
  user_id uuid references users on delete set null,
  place text not null,                        -- the draft that will have it
  name text not null,
  bytes bigint not null,
  modified bigint not null,                   -- with place, name and bytes: the same file
  reserved bigint not null,                   -- bytes, until stored_files counts them
  token text not null,                        -- what the object store calls it
  seen_at timestamptz not null default now(), -- of the last part
  claimed_at timestamptz,                     -- renewed while a process makes the file of its parts
  file jsonb,                                 -- the stored file
  finished_at timestamptz
);
create index resumable_uploads_user on resumable_uploads (user_id);
create index resumable_uploads_seen_at on resumable_uploads (seen_at);

create table resumable_upload_parts (
  upload_id uuid not null references resumable_uploads on delete cascade,
  number integer not null,
  sha256 bytea not null,
  receipt text not null,                      -- what the object store needs to join it
  primary key (upload_id, number)
);
