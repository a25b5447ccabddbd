-- Enrolments, and access given by e-mail address.

-- The status that holds now: the job that stores `expired` may come late, and a later end revives an enrolment.
create or replace function enrolment_status(status text, expires_on timestamptz) returns text language sql stable as $$
  select case
    when expires_on <= now() then 'expired'
    when status = 'expired' and expires_on > now() then 'enrolled'
    else status
  end
$$;

-- True when a cohort of the person is let into the entry. PL/pgSQL, because every access check calls it and PostgreSQL
-- below 18 plans SQL functions at every call.
create or replace function is_granted(person uuid, entry text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select 1 from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = person and p.entry_id = entry);
end $$;

-- Gives the owner of an address the access that was kept for it: once, and only when the address is proven and the record
-- has not expired. A function, because enrolment, membership and counter belong together, and the claim of a proven
-- address needs them in its own transaction. Without an owner a new record becomes `pending` and its cohorts invite the
-- address; answers true when that happened just now. The records of an inactive account wait until it is active again.
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
    -- The later of two ends holds; no end is the latest.
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
      -- The later of two ends holds here too; a membership without an end stays without one.
      update community_members m set expires_on = case when kept.expires_on > m.expires_on then kept.expires_on
          when kept.expires_on is not null then m.expires_on end, updated_at = now()
      where m.community_id = joined and m.user_id = person and m.status = 'active' and m.expires_on is not null;
      if not exists (
        select from community_members m where m.community_id = joined and m.user_id = person and m.status = 'active'
      ) then
        -- now() is also `granted_at`, which tells a membership given by this record from any other.
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

-- Carries the end and the cohorts of a record over to the access that was given by it.
create or replace function follow_enrolment(record uuid) returns void language sql as $$
  update journey_enrolments e set expires_on = b.expires_on, updated_at = now(),
    status = case when b.expires_on <= now() then 'expired' else 'enrolled' end,
    metadata = e.metadata || jsonb_build_object('cohortIds', to_jsonb(b.cohort_ids))
  from bulk_enrolments b join users u on u.email = b.email
  join courses c on c.slug = b.slug join journeys j on j.course_id = c.id
  where b.id = record and b.granted_at is not null and b.type = 'courses'
    and e.user_id = u.id and e.journey_key = j.key and b.journey_slug in ('', j.slug);
  -- Lock the community first, as every change of members does.
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

-- Ends all access of an address to a course; answers how many records and enrolments there were. Completions and
-- certificates stay.
create or replace function withdraw_enrolments(address text, course text) returns integer language plpgsql as $$
declare
  waiting integer;
  taken integer;
begin
  delete from bulk_enrolments b where b.email = address and b.type = 'courses' and b.slug = course;
  get diagnostics waiting = row_count;
  delete from journey_enrolments e using users u, journeys j, courses c
  where u.email = address and e.user_id = u.id and j.key = e.journey_key and c.id = j.course_id and c.slug = course;
  get diagnostics taken = row_count;
  return waiting + taken;
end $$;

-- Ends the memberships of one address (null: of all) whose records have expired. A membership of another origin, or of an
-- owner or moderator, stays. The record waits again, for a new end.
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
    for update of b -- before communities, in the order of settle_enrolment
  loop
    perform from communities c where c.id = ended.community for no key update;
    -- A membership given before this record got its end has none yet.
    update community_members m set expires_on = ended.expires_on
    where m.community_id = ended.community and m.user_id = ended.person and m.joined_at = ended.granted_at
      and m.expires_on is null and m.role = 'member' and m.status = 'active' and m.level is distinct from 3;
    perform end_membership(ended.community, ended.person);
    update bulk_enrolments b set granted_at = null where b.id = ended.id;
  end loop;
end $$;
