-- The result of the hourly sweep, by table: rows that were due for removal and are still there.
create table sweeps (
  target text primary key,
  overdue integer not null,
  swept_at timestamptz not null default now()
);
