-- Badges are kept by the slug of a community. Everybody who may read a post sees the badges beside it, so they leave out
-- communities that are not listed for every user. Profiles decide for each viewer.
create function listed_badges(badges jsonb) returns jsonb language sql stable as $$
  select jsonb_set(badges, '{communities}', coalesce((
    select jsonb_object_agg(badge.key, badge.value)
    from jsonb_each(badges->'communities') badge
    where not exists (
      select 1 from communities c
      join entries e on e.id = c.entry_id
      left join products p on p.entry_id = c.entry_id
      where c.slug = badge.key
        and (c.privacy = 'open-visible' and e.status = 'published' and p.can_view in ('public', 'authenticated')) is not true)),
    '{}'))
$$;

create or replace function write_actor_json() returns trigger language plpgsql as $$
begin
  new.actor_json := json_build_object('id', new.id, 'name', new.name, 'thumbnail', new.image_thumbnail,
    'jobTitle', new.job_title, 'organization', new.organization,
    'badges', case when new.badges ? 'communities' then listed_badges(new.badges) else new.badges end);
  return new;
end $$;

-- A change of the shown badges invalidates feeds, even when the stored badges stay.
drop trigger feed_changes on users;
create trigger feed_changes after update of name, image_thumbnail, job_title, organization, badges, visibility, erased_at
  on users for each row when (
    (old.name, old.image_thumbnail, old.job_title, old.organization, old.badges, old.visibility, old.erased_at, old.actor_json)
    is distinct from
    (new.name, new.image_thumbnail, new.job_title, new.organization, new.badges, new.visibility, new.erased_at, new.actor_json))
  execute function note_person_change();

create index users_community_badges on users using gin ((badges->'communities')) where badges ? 'communities';

create function renew_badges(of_entry text) returns void language sql as $$
  update users set badges = badges
  where badges ? 'communities'
    and badges->'communities' ?| array(select slug from communities where entry_id = of_entry)
$$;

create function renew_badges_of_community() returns trigger language plpgsql as $$
begin
  perform renew_badges(new.entry_id);
  return null;
end $$;
create trigger renew_badges after insert or update of slug, privacy on communities
  for each row execute function renew_badges_of_community();
create trigger renew_badges after insert or update of can_view on products
  for each row execute function renew_badges_of_community();

create function renew_badges_of_entry() returns trigger language plpgsql as $$
begin
  perform renew_badges(new.id);
  return null;
end $$;
create trigger renew_badges after update of status on entries
  for each row when (old.status is distinct from new.status) execute function renew_badges_of_entry();

update users set badges = badges where badges ? 'communities';
