-- What the product finds out about itself each night: by what was checked, how many things were wrong.
create table nightly_checks (
  subject text primary key,
  wrong integer not null,
  checked_at timestamptz not null default now()
);
