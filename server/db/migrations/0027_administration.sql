-- What the administration counts and lists, at the size of a country's public service.

-- How many people there are with an account in use, by role: counted from the index alone.
create index users_in_use on users (role) where email_proven_at is not null and erased_at is null and role <> 'inactive';
