-- A membership that was given until a moment ends at that moment, as whoever reads it sees; the row goes a little later.

-- Which there are, before the table is held: few beside all members.
create temporary table given_until on commit drop as
select c.id as community_id, u.id as user_id, b.granted_at, b.expires_on
from bulk_enrolments b join users u on u.email = b.email join communities c on c.slug = b.slug
where b.type = 'communities' and b.granted_at is not null and b.expires_on is not null;

alter table community_members add column expires_on timestamptz; -- null: it has no end

update community_members m set expires_on = g.expires_on from given_until g
where m.community_id = g.community_id and m.user_id = g.user_id and m.joined_at = g.granted_at
  and m.role = 'member' and m.status = 'active' and m.level is distinct from 3;

-- Whoever is made an owner or a moderator is so for good.
create function stay_for_good() returns trigger language plpgsql as $$
begin
  new.expires_on := null;
  return new;
end $$;
create trigger stay_for_good before insert or update on community_members
  for each row when (new.expires_on is not null and (new.role = 'owner' or new.level = 3)) execute function stay_for_good();

-- Takes away a membership whose end has passed. Needs the lock of the community, which counts its members.
create function end_membership(place uuid, person uuid) returns void language plpgsql as $$
begin
  delete from community_members m where m.community_id = place and m.user_id = person and m.expires_on <= now();
  if found then
    update communities set member_count = member_count - 1 where id = place;
  end if;
end $$;

-- As it was, save that a membership which has ended is none, and gone before another begins.
create or replace function join_community(joined uuid, person uuid, former text, wanted text) returns boolean
language plpgsql as $$
begin
  perform from communities c where c.id = joined for no key update;
  perform end_membership(joined, person);
  if former is null then
    insert into community_members (community_id, user_id, status) values (joined, person, wanted) on conflict do nothing;
  else
    update community_members set status = wanted, joined_at = now()
    where community_id = joined and user_id = person and status = former;
  end if;
  if not found then
    return false;
  end if;
  if wanted = 'active' then
    update communities set member_count = member_count + 1 where id = joined;
  end if;
  return true;
end $$;

-- As it was, save that a membership of a community keeps its end.
create or replace function settle_enrolment(record uuid) returns boolean language plpgsql as $$
declare
  kept bulk_enrolments;
  person uuid;
  joined uuid;
begin
  select * into kept from bulk_enrolments b where b.id = record for update;
  if not found or kept.granted_at is not null or enrolment_status(kept.status, kept.expires_on) = 'expired' then
    return false;
  end if;
  select u.id into person from users u
  where u.email = kept.email and u.email_proven_at is not null and u.role <> 'inactive';
  if person is null then
    if exists (select from users u where u.email = kept.email and u.role = 'inactive') then
      update bulk_enrolments set status = 'pending', updated_at = now() where id = record and status = 'created';
      return false;
    end if;
    insert into cohort_invitations (id, cohort_id, email)
    select new_id(), c.id, kept.email from cohorts c
    where c.id = any(kept.cohort_ids) and not exists (
      select from cohort_members m join users u on u.id = m.user_id where m.cohort_id = c.id and u.email = kept.email)
    order by c.id on conflict do nothing;
    update bulk_enrolments set status = 'pending', updated_at = now() where id = record and status = 'created';
    return found;
  end if;

  insert into cohort_members (cohort_id, user_id)
  select c.id, person from cohorts c where c.id = any(kept.cohort_ids) order by c.id on conflict do nothing;
  delete from cohort_invitations where email = kept.email and cohort_id = any(kept.cohort_ids);

  if kept.type = 'courses' then
    -- Of two ends the later holds, and no end is the latest.
    insert into journey_enrolments as e (id, user_id, journey_key, locale, status, expires_on, metadata)
    select new_id(), person, j.key, coalesce(kept.metadata ->> 'locale', 'en'), 'enrolled', kept.expires_on,
      jsonb_build_object('bulkEnrolment', true, 'cohortIds', to_jsonb(kept.cohort_ids))
    from journeys j join courses c on c.id = j.course_id
    where c.slug = kept.slug and j.withdrawn_at is null and kept.journey_slug in ('', j.slug)
    order by j.key
    on conflict (user_id, journey_key) do update set status = 'enrolled', metadata = e.metadata || excluded.metadata,
      updated_at = now(), expires_on = case
        when enrolment_status(e.status, e.expires_on) <> 'enrolled' then excluded.expires_on
        when e.expires_on is null or excluded.expires_on is null then null
        else greatest(e.expires_on, excluded.expires_on) end;
  else
    select c.id into joined from communities c where c.slug = kept.slug for no key update;
    if found then
      perform end_membership(joined, person);
      -- Of two ends the later holds here too; who is a member without an end stays so.
      update community_members m set expires_on = case when kept.expires_on > m.expires_on then kept.expires_on
          when kept.expires_on is not null then m.expires_on end, updated_at = now()
      where m.community_id = joined and m.user_id = person and m.status = 'active' and m.expires_on is not null;
      if not exists (
        select from community_members m where m.community_id = joined and m.user_id = person and m.status = 'active'
      ) then
        -- The very moment of `granted_at`, by which a membership that came with the place is known from one's own.
        insert into community_members (community_id, user_id, status, joined_at, expires_on)
        values (joined, person, 'active', now(), kept.expires_on)
        on conflict (community_id, user_id) do update set status = 'active', joined_at = now(),
          expires_on = excluded.expires_on, updated_at = now();
        update communities set member_count = member_count + 1 where id = joined;
      end if;
    end if;
  end if;

  update bulk_enrolments set status = 'enrolled', granted_at = now(), updated_at = now() where id = record;
  return false;
end $$;

-- As it was, and to the membership that came with a place in a community.
create or replace function follow_enrolment(record uuid) returns void language sql as $$
  update journey_enrolments e set expires_on = b.expires_on, updated_at = now(),
    status = case when b.expires_on <= now() then 'expired' else 'enrolled' end,
    metadata = e.metadata || jsonb_build_object('cohortIds', to_jsonb(b.cohort_ids))
  from bulk_enrolments b join users u on u.email = b.email
  join courses c on c.slug = b.slug join journeys j on j.course_id = c.id
  where b.id = record and b.granted_at is not null and b.type = 'courses'
    and e.user_id = u.id and e.journey_key = j.key and b.journey_slug in ('', j.slug);
  -- The community first, as everything does that changes members.
  select from communities c join bulk_enrolments b on b.slug = c.slug
  where b.id = record and b.granted_at is not null and b.type = 'communities' for no key update of c;
  update community_members m set expires_on = b.expires_on, updated_at = now()
  from bulk_enrolments b join users u on u.email = b.email join communities c on c.slug = b.slug
  where b.id = record and b.granted_at is not null and b.type = 'communities'
    and m.community_id = c.id and m.user_id = u.id and m.joined_at = b.granted_at
    and m.role = 'member' and m.level is distinct from 3 and m.expires_on is distinct from b.expires_on;
  insert into cohort_members (cohort_id, user_id)
  select c.id, u.id from bulk_enrolments b join users u on u.email = b.email join cohorts c on c.id = any(b.cohort_ids)
  where b.id = record and b.granted_at is not null
  order by c.id on conflict do nothing
$$;

-- As it was, save that the membership says when it ends. One that has become an owner's or a moderator's does not.
create or replace function end_memberships(address text) returns void language plpgsql as $$
declare
  ended record;
begin
  for ended in
    select b.id, b.granted_at, b.expires_on, u.id as person, c.id as community
    from bulk_enrolments b left join users u on u.email = b.email left join communities c on c.slug = b.slug
    where b.type = 'communities' and b.granted_at is not null and b.expires_on <= now()
      and (address is null or b.email = address)
    order by b.email, b.slug
    for update of b -- before communities, as whoever gives a place does
  loop
    perform from communities c where c.id = ended.community for no key update;
    -- One that the version before gave while this one came has no end yet.
    update community_members m set expires_on = ended.expires_on
    where m.community_id = ended.community and m.user_id = ended.person and m.joined_at = ended.granted_at
      and m.expires_on is null and m.role = 'member' and m.status = 'active' and m.level is distinct from 3;
    perform end_membership(ended.community, ended.person);
    update bulk_enrolments b set granted_at = null where b.id = ended.id;
  end loop;
end $$;
