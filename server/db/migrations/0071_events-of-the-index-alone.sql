-- Whether an event changed the index alone: nobody fetches the entry, so pages stay as they are.
alter table content_events add column only_index boolean not null default false;
