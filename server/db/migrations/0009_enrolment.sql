-- Places given by address, before or after there is an account, and what people recommend to colleagues.

-- A UUIDv7 like those the application makes, for rows that come into being inside a statement.
create function new_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

create table bulk_enrolments (
  id uuid primary key,
  email text not null,                    -- lower case
  type text not null check (type in ('courses', 'communities')),
  slug text not null,                     -- of the course or community
  journey_slug text not null default '',  -- empty: every journey of the course
  status text not null default 'created' check (status in ('created', 'pending', 'enrolled', 'expired')),
  expires_on timestamptz,
  metadata jsonb not null default '{}',
  user_defaults jsonb not null default '{}',
  cohort_ids uuid[] not null default '{}',
  granted_at timestamptz,                 -- when the owner of the address got the place; null: still waiting
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email, type, slug, journey_slug)
);
create index bulk_enrolments_status on bulk_enrolments (status, type);

create table referrals (
  id uuid primary key,
  referrer_id uuid references users on delete cascade, -- null: a service's
  email text not null,
  type text not null check (type in ('events', 'microcourses', 'communities', 'courses')),
  slug text not null,
  removed_at timestamptz,                 -- kept, so that making it again neither mails again nor escapes the limit
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (referrer_id, email, type, slug)
);
create index referrals_email on referrals (email);

-- How often somebody was written to.
create index mails_recipient on mails (recipient, kind, created_at);

alter table community_members
  add column id uuid not null default new_id() unique, -- of the membership record
  add column creator boolean not null default false,
  add column metadata jsonb not null default '{}',
  add column updated_at timestamptz not null default now();

-- Gives the owner of an address the place that was kept for it: once, and only when the address is proven and the place
-- has not ended. A function, because a place, a membership and its counter belong together and the claim of a proven
-- address needs them in its own transaction. Until there is such an owner a new place becomes `pending` and its cohorts
-- invite the address; true when that happened just now.
create function settle_enrolment(record uuid) returns boolean language plpgsql as $$
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
      insert into community_members (community_id, user_id, status) values (joined, person, 'active')
      on conflict (community_id, user_id) do update set status = 'active', joined_at = now(), updated_at = now();
      update communities set member_count = member_count + 1 where id = joined;
    end if;
  end if;

  update bulk_enrolments set status = 'enrolled', granted_at = now(), updated_at = now() where id = record;
  return false;
end $$;

-- Carries the end and the cohorts of a record over to the place that was given.
create function follow_enrolment(record uuid) returns void language sql as $$
  update journey_enrolments e set expires_on = b.expires_on, updated_at = now(),
    status = case when b.expires_on <= now() then 'expired' else 'enrolled' end,
    metadata = e.metadata || jsonb_build_object('cohortIds', to_jsonb(b.cohort_ids))
  from bulk_enrolments b join users u on u.email = b.email
  join courses c on c.slug = b.slug join journeys j on j.course_id = c.id
  where b.id = record and b.granted_at is not null and b.type = 'courses'
    and e.user_id = u.id and e.journey_key = j.key and b.journey_slug in ('', j.slug);
  insert into cohort_members (cohort_id, user_id)
  select c.id, u.id from bulk_enrolments b join users u on u.email = b.email join cohorts c on c.id = any(b.cohort_ids)
  where b.id = record and b.granted_at is not null
  order by c.id on conflict do nothing
$$;

-- Ends all places of an address in a course; how many there were. Completions and certificates stay.
create function withdraw_enrolments(address text, course text) returns integer language plpgsql as $$
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
