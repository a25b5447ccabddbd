-- An anonymous poll that was read back from an archive has the counts of its votes and not the votes.
alter table polls add column counts_only boolean not null default false;
