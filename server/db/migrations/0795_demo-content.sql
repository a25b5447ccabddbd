-- Whether this installation loaded the demo content, and removed it. No row: it never did. A removed demo is not loaded
-- again by later starts.
create table demo_content (
  id integer primary key default 1 check (id = 1),
  loaded_at timestamptz not null default now(),
  removal_asked_at timestamptz,
  removed_at timestamptz,
  constraint demo_content_order check (removed_at is null or removal_asked_at is not null)
);
-- Demos of earlier releases are known by their accounts, or by two of their pages once those are erased.
insert into demo_content (loaded_at) select now() where
  (select count(*) from users where email in ('learner@example.gov', 'moderator@example.gov')) = 2
  or (exists (select from courses where slug = 'budgets-and-evidence')
    and exists (select from editorials where kind = 'hub' and slug = 'first-months-as-a-manager'));
