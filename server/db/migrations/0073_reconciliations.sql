-- The last comparison with the content platform, and where the next one goes on. One row.
create table content_reconciliation (
  is_last boolean primary key default true check (is_last),
  sync_token text,                        -- of the platform, after what was compared
  started_at timestamptz,
  finished_at timestamptz,
  published integer not null default 0,
  withdrawn integer not null default 0,
  error text                              -- why it ended early
);
insert into content_reconciliation default values;

comment on table fetched_entries is 'The newest version of each entry that was fetched from the content platform and published';
