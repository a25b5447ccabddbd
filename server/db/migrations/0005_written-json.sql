-- What does not change when people react is written as JSON once, not at every reading of a feed.

create function api_time(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The members of the contract's Activity that only its author changes, without the braces.
alter table activities add column written_json text not null default '';

create function write_activity_json() returns trigger language plpgsql as $$
begin
  new.written_json := concat(
    '"id":"', new.id,
    '","verb":"', new.verb,
    '","title":', coalesce(to_json(new.title)::text, 'null'),
    ',"body":', coalesce(to_json(new.body)::text, 'null'),
    ',"bodyHtml":', coalesce(to_json(new.body_html)::text, 'null'),
    ',"locale":', to_json(new.locale),
    ',"categories":', to_json(new.categories),
    ',"additional_data":', new.additional_data,
    ',"createdAt":"', api_time(new.created_at),
    '","updatedAt":"', api_time(new.updated_at),
    '"', ',"editedAt":"' || api_time(new.edited_at) || '"');
  return new;
end $$;

create trigger activities_written_json before insert or update of
  id, verb, title, body, body_html, locale, categories, additional_data, created_at, updated_at, edited_at
  on activities for each row execute function write_activity_json();

-- The contract's Actor of a person whose profile the reader may see.
alter table users add column actor_json text not null default '';

create function write_actor_json() returns trigger language plpgsql as $$
begin
  new.actor_json := json_build_object('id', new.id, 'name', new.name, 'thumbnail', new.image_thumbnail,
    'jobTitle', new.job_title, 'organization', new.organization, 'badges', new.badges);
  return new;
end $$;

create trigger users_actor_json before insert or update of
  id, name, image_thumbnail, job_title, organization, badges
  on users for each row execute function write_actor_json();

update activities set id = id;
update users set id = id;
