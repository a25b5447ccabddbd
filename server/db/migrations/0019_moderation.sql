-- What people report to those who moderate a community: one report a person and thing.
create table content_reports (
  id uuid primary key,
  community_id uuid not null references communities on delete cascade,
  activity_id uuid not null references activities on delete cascade,
  object_id uuid not null,                -- the activity, or a reply to it; without a reference, for the row of a reply goes when it is removed and the decision stays
  user_id uuid not null references users, -- who reported it; an erased person keeps a nameless row
  reason text not null check (reason in ('insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other')),
  note text,
  status text not null default 'open' check (status in ('open', 'dismissed', 'removed')),
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  decision_note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, object_id),
  check ((status = 'open') = (decided_at is null))
);
create index content_reports_open on content_reports (community_id, object_id) where status = 'open';
create index content_reports_activity on content_reports (activity_id);

create trigger refuse_erased after insert on content_reports for each row execute function refuse_erased();
