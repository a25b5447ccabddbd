-- Files of content in storage, below content-assets/. One that no text, draft or version names is deleted some days
-- after it was last uploaded or imported.
create table stored_files (
  key text primary key,
  bytes bigint not null,
  user_id uuid references users on delete set null, -- who uploaded it first; null: an import, or an erased person
  stored_at timestamptz not null default now()      -- renewed by each upload and import of the same bytes
);
-- The space that a person takes, for the quota, export and erasure.
create index stored_files_user on stored_files (user_id) include (bytes);
-- The oldest files, which may be due.
create index stored_files_stored_at on stored_files (stored_at);

-- Uploads that are arriving, with the space reserved for them.
create table incoming_files (
  id uuid primary key,                     -- the file is uploads/<id> until it is complete
  bytes bigint not null,
  user_id uuid references users on delete cascade,
  seen_at timestamptz not null default now() -- renewed while it arrives; a killed process leaves it old
);
create index incoming_files_user on incoming_files (user_id);

-- The versions and drafts that name a file.
create index content_versions_files on content_versions using gin ((doc->'images') jsonb_path_ops);
create index content_pieces_files on content_pieces using gin ((draft->'images') jsonb_path_ops);

-- The age of files from before begins now.
insert into stored_files (key, bytes)
select distinct on (key) key, bytes from (
  select key, bytes from content_assets
  union all
  select image->>'key', (image->>'bytes')::bigint
  from content_versions, jsonb_array_elements(coalesce(doc->'images', '[]')) image
  union all
  select image->>'key', (image->>'bytes')::bigint
  from content_pieces, jsonb_array_elements(coalesce(draft->'images', '[]')) image
) named
where key is not null
order by key, bytes;
