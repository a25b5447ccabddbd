-- Pictures that stand at other hosts, as we keep them for a while to show them ourselves. The name is made of the address
-- under the key of the installation and is that of the file; the address itself is not kept.
create table outside_pictures (
  name text primary key,
  is_there boolean not null,
  good_until timestamptz not null
);
create index outside_pictures_good_until on outside_pictures (good_until);
