-- Posts: their score, counts and shares.

-- The points that a person gives a post by each kind of taking part, once a kind.
create or replace function activity_points(kind text) returns integer
language sql immutable parallel safe return case kind when 'like' then 1 when 'reply' then 2 else 3 end;

-- The seconds that one e-fold of points weighs as much as in the live feed.
create or replace function hot_seconds() returns integer language sql immutable parallel safe return 75000;

-- The score of the live feed. It need not be recomputed over time, because all scores decay equally. A future time
-- counts as now.
create or replace function activity_hot(points integer, at timestamptz) returns double precision
language sql stable return ln(1 + points) + extract(epoch from least(at, now())) / hot_seconds();

-- A timestamp in the format of the API.
create or replace function api_time(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Adds points to the first post that shared an article or discussion in a community, when somebody else shares it there
-- again, once a person. Returns that post; null when there is none by another person.
create or replace function count_share(shared uuid, into_community uuid, sharer uuid) returns uuid
language plpgsql as $$
declare
  first activities;
  seen integer;
begin
  select a.* into first from shares s join activities a on a.id = s.activity_id
  where s.thing_id = shared and a.community_id = into_community and a.deleted_at is null
  order by a.id limit 1
  for no key update of a;
  if first.id is null or first.author_id = sharer then
    return null;
  end if;
  insert into activity_people as p (activity_id, user_id, kind, times) values (first.id, sharer, 'share', 1)
  on conflict (activity_id, user_id, kind) do update set times = p.times + 1
  returning times into seen;
  if seen = 1 then
    update activities set people_points = people_points + activity_points('share'),
      hot = activity_hot(people_points + activity_points('share'), created_at)
    where id = first.id;
  end if;
  return first.id;
end $$;

-- The number of posts of a community, in all or in one category.
create or replace function activity_count(place uuid, what text default '') returns integer language plpgsql stable as $$
begin
  return (select coalesce(sum(n), 0) from activity_counts where community_id = place and category = what);
end $$;

-- Counts new and deleted posts, once per statement. Rows are locked in one order, so that there is no deadlock.
create or replace function count_activities() returns trigger language plpgsql as $$
begin
  insert into activity_counts as k (community_id, category, part, n)
  select c.community_id, category, pg_backend_pid() % 16, case tg_op when 'INSERT' then 1 else -1 end * count(*)
  from changed c, unnest(array[''] || c.categories) category
  where c.community_id is not null and c.deleted_at is null
    -- A deleted community deletes its counts.
    and (tg_op = 'INSERT' or exists (select from communities where id = c.community_id))
  group by c.community_id, category order by c.community_id, category
  on conflict (community_id, category, part) do update set n = k.n + excluded.n;
  return null;
end $$;
create or replace trigger activities_counted_added after insert on activities
  referencing new table as changed for each statement execute function count_activities();
create or replace trigger activities_counted_gone after delete on activities
  referencing old table as changed for each statement execute function count_activities();

-- Counts a post that was removed, restored, moved or recategorised.
create or replace function recount_activity() returns trigger language plpgsql as $$
begin
  insert into activity_counts as k (community_id, category, part, n)
  select community_id, category, pg_backend_pid() % 16, sum(n) from (
    select old.community_id, category, -1 as n from unnest(array[''] || old.categories) category where old.deleted_at is null
    union all
    select new.community_id, category, 1 from unnest(array[''] || new.categories) category where new.deleted_at is null) moved
  where community_id is not null
  group by community_id, category having sum(n) <> 0 order by community_id, category
  on conflict (community_id, category, part) do update set n = k.n + excluded.n;
  return null;
end $$;
create or replace trigger activities_counted_changed after update of deleted_at, categories, community_id on activities
  for each row when ((old.community_id, old.categories, old.deleted_at is null)
    is distinct from (new.community_id, new.categories, new.deleted_at is null)) execute function recount_activity();
