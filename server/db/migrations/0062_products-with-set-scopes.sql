-- Whether an administrator set a product's scopes; until then a journey is as its course.
alter table products add column is_set boolean not null default false;
update products set is_set = true where updated_at > created_at;
