-- Indexes in the order in which lists are served, so that a page is read and not all there is.

create index cohorts_by_name on cohorts (lower(name), name, id);

create index users_oldest on users (created_at, id) where erased_at is null;
create index users_public_by_name on users (lower(name), id)
  where visibility = 'public' and erased_at is null and email_proven_at is not null and role <> 'inactive';
-- What an author wrote is counted with what was removed of it.
create index activities_author_gone on activities (author_id) where deleted_at is not null;

create index community_members_oldest on community_members (joined_at, id);
create index community_members_by_place on community_members (community_id, joined_at, id);
-- Who keeps a community, among thousands who are in it.
create index community_members_owners on community_members (community_id) where role = 'owner';
create index community_members_levels on community_members (community_id) where level is not null;

create index bulk_enrolments_page on bulk_enrolments (status, id desc);
-- Whose end the clock has decided, or taken back, and nobody has stored yet.
create index bulk_enrolments_overdue on bulk_enrolments (expires_on) where expires_on is not null and status <> 'expired';
create index bulk_enrolments_revived on bulk_enrolments (expires_on) where expires_on is not null and status = 'expired';

-- How far the members of a cohort are in a journey, and who has a place in one, are read from this alone; and who is in
-- use, from the next.
drop index journey_enrolments_progress;
create index journey_enrolments_progress on journey_enrolments (journey_key, user_id)
  include (started_at, completed_at, status, expires_on);
drop index users_in_use;
create index users_in_use on users (id) include (role)
  where email_proven_at is not null and erased_at is null and role <> 'inactive';

-- Trigrams find no word of one or two signs, which is what many names are written in: those are looked up by each sign
-- and each two that stand together.
create function search_signs(given text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct sign), '{}')
  from regexp_matches(given, '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+', 'g') run (signs),
    generate_series(1, length(signs[1])) nth, generate_series(1, 2) size, substr(signs[1], nth, size) sign
$$;
create index users_signs on users using gin (search_signs(search_text)) where erased_at is null;
