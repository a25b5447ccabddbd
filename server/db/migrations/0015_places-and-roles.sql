-- Places kept for an address: what becomes of those of inactive accounts, and of memberships that were given for a time.

drop index cohorts_name;
create index cohorts_name on cohorts (lower(name), name, id);

create index bulk_enrolments_end on bulk_enrolments (expires_on) where expires_on is not null;

-- As it was, save that an inactive account is neither invited nor written to: its places wait until it is in use again.
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
    if found and not exists (
      select from community_members m where m.community_id = joined and m.user_id = person and m.status = 'active'
    ) then
      -- The very moment of `granted_at`, by which a membership that came with the place is known from one's own.
      insert into community_members (community_id, user_id, status, joined_at) values (joined, person, 'active', now())
      on conflict (community_id, user_id) do update set status = 'active', joined_at = now(), updated_at = now();
      update communities set member_count = member_count + 1 where id = joined;
    end if;
  end if;

  update bulk_enrolments set status = 'enrolled', granted_at = now(), updated_at = now() where id = record;
  return false;
end $$;

-- Ends the memberships whose places have ended, those of one address or, given null, all. A membership that did not
-- begin with the place, or has become an owner's, stays. The place waits again, for a new end.
create function end_memberships(address text) returns void language plpgsql as $$
declare
  ended record;
begin
  for ended in
    select b.id, b.granted_at, u.id as person, c.id as community
    from bulk_enrolments b left join users u on u.email = b.email left join communities c on c.slug = b.slug
    where b.type = 'communities' and b.granted_at is not null and b.expires_on <= now()
      and (address is null or b.email = address)
    order by b.email, b.slug
    for update of b -- before communities, as whoever gives a place does
  loop
    perform from communities c where c.id = ended.community for no key update;
    delete from community_members m
    where m.community_id = ended.community and m.user_id = ended.person and m.role = 'member' and m.status = 'active'
      and m.joined_at = ended.granted_at;
    if found then
      update communities set member_count = member_count - 1 where id = ended.community;
    end if;
    update bulk_enrolments b set granted_at = null where b.id = ended.id;
  end loop;
end $$;
