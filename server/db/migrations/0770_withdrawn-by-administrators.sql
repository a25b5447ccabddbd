-- An administrator withdrew this piece, so only administrators publish it again.
alter table content_pieces add column is_barred boolean not null default false;
