-- People are looked for by parts of what their profile says, in either case and with or without accents.

-- unaccent with its dictionary named depends on nothing that changes, so a column may rest on it.
create function search_form(given text) returns text language sql immutable strict parallel safe as $$
  select lower(public.unaccent('public.unaccent', given))
$$;

alter table users add column search_text text not null generated always as (
  public.search_form(name || coalesce(' · ' || job_title, '') || coalesce(' · ' || organization, ''))) stored;

create index users_search on users using gin (search_text gin_trgm_ops) where erased_at is null;
