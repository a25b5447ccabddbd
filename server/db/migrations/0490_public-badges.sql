-- The badges shown beside posts, instead of a whole Actor as JSON.
alter table users add column public_badges jsonb not null default '{}'; -- badges without those of hidden communities; written by a trigger
drop trigger if exists users_actor_json on users;
update users set public_badges = actor_json::jsonb->'badges' where actor_json <> '' and badges <> '{}';
drop function if exists write_actor_json();
alter table users drop column actor_json;
