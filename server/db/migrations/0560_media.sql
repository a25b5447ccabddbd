-- Recordings may have more than 2 GiB.
alter table content_assets alter column bytes type bigint;
