-- The badges shown beside a person's posts.

-- Writes users.public_badges.
create or replace function write_public_badges() returns trigger language plpgsql as $$
begin
  new.public_badges := case when new.badges ? 'communities' then listed_badges(new.badges) else new.badges end;
  return new;
end $$;
create or replace trigger users_public_badges before insert or update of badges
  on users for each row execute function write_public_badges();

-- Removes badges of communities that are not visible to every user. Badges are shown beside posts to everyone who may
-- read the post; profiles filter them per viewer. They are stored by community slug.
create or replace function listed_badges(badges jsonb) returns jsonb language sql stable as $$
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

-- Rewrites public_badges of users with a badge of this community.
create or replace function renew_badges(of_entry text) returns void language sql as $$
  update users set badges = badges
  where badges ? 'communities'
    and badges->'communities' ?| array(select slug from communities where entry_id = of_entry)
$$;

-- Renews badges when a community is created, renamed, hidden or shown, or its product's scope changes.
create or replace function renew_badges_of_community() returns trigger language plpgsql as $$
begin
  perform renew_badges(new.entry_id);
  return null;
end $$;
create or replace trigger renew_badges after insert or update of slug, privacy on communities
  for each row execute function renew_badges_of_community();
create or replace trigger renew_badges after insert or update of can_view on products
  for each row execute function renew_badges_of_community();

-- Renews badges when a community is published or withdrawn.
create or replace function renew_badges_of_entry() returns trigger language plpgsql as $$
begin
  perform renew_badges(new.id);
  return null;
end $$;
create or replace trigger renew_badges after update of status on entries
  for each row when (old.status is distinct from new.status) execute function renew_badges_of_entry();
