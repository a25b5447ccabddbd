-- The installation's own name, texts, colour and links. Each change adds a row; the newest is in force.
create table site_versions (
  version integer primary key check (version > 0),
  identity jsonb not null,
  changed_at timestamptz not null default now()
);
-- Pages that the installation writes itself, in each language. The newest version is in force; without a text the
-- language has no such page.
create table site_page_versions (
  kind text not null check (kind in ('privacy', 'terms', 'imprint', 'accessibility')),
  locale text not null,
  version integer not null check (version > 0),
  body text,
  body_html text,
  changed_at timestamptz not null default now(),
  primary key (kind, locale, version),
  constraint site_page_versions_text check ((body is null) = (body_html is null))
);
-- The name under which a certificate was issued; null for those from before it was kept.
alter table certificates add issuer text;
