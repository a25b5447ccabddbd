import { sql } from 'kysely';
import { COHORT_TOWNS, COUNTRY_CODES, OFFICES, PROGRAMMES } from './words.ts';
import type { SeedPart } from './run.ts';

/** Average members per cohort, and cohorts per member. */
const PEOPLE_PER_COHORT = 100;
const COHORTS_PER_PERSON = 10;

export const cohorts: SeedPart = {
  name: 'cohorts and their products',
  async fill({ db, people }) {
    const count = Math.max(1, Math.round(people / PEOPLE_PER_COHORT));
    const offices = OFFICES.map(({ name }) => name);
    await sql`
      create temporary table seed_cohorts (nth int primary key, id uuid not null, since timestamptz not null) on commit drop`.execute(
      db,
    );
    await sql`
      insert into seed_cohorts
      select i, pg_temp.id_at(at), at
      from generate_series(1, ${count}::int) i,
        lateral (select now() - interval '10 days' - random() * interval '700 days' + i * interval '0' as at) t`.execute(
      db,
    );
    await sql`
      insert into cohorts (id, name, type, primary_partner, secondary_partner, notes, booking_code, country_code, funder,
        support_contact, created_at, updated_at)
      select id, pg_temp.one_of(${[...PROGRAMMES]}::text[]) || ', ' || pg_temp.one_of(${[...COHORT_TOWNS]}::text[]) || ' '
          || to_char(since, 'YYYY') || '-' || nth,
        (array['LEARNERS', 'LEARNERS', 'LEARNERS', 'EXTERNAL_STAFF', 'INTERNAL_TEST', 'OTHER'])[1 + nth % 6],
        pg_temp.one_of(${offices}::text[]), case when nth % 3 = 0 then pg_temp.one_of(${offices}::text[]) end,
        case when nth % 4 = 0 then 'Meets on the first Tuesday of the month.' end, 'BK-' || lpad(nth::text, 5, '0'),
        pg_temp.one_of(${[...COUNTRY_CODES]}::text[]), case when nth % 5 = 0 then 'National learning fund' end,
        'learning@example.gov', since, since
      from seed_cohorts`.execute(db);
    await sql`
      insert into cohort_products (cohort_id, entry_id, position)
      select c.id, p.entry_id, p.nth
      from seed_cohorts c, lateral (
        select entry_id, row_number() over (order by random()) as nth from products where c.nth > 0 limit 1 + c.nth % 4) p`.execute(
      db,
    );
    await sql`analyze seed_cohorts`.execute(db);
  },
};

export const members: SeedPart = {
  name: 'cohort memberships',
  async fill({ db, people }) {
    const wanted = people * COHORTS_PER_PERSON;
    // Cohort sizes vary by a factor of ten. Duplicate picks collapse, so draw 1.4 times as many as wanted.
    await sql`
      insert into cohort_members (cohort_id, user_id, joined_at)
      select cohort_id, user_id, since + random() * 0.9 * (now() - interval '1 day' - since)
      from (
        select c.id as cohort_id, p.id as user_id, greatest(c.since, p.since) as since
        from (
          select distinct nth, 1 + floor(power(random(), 1.5) * (select count(*) from seed_cohorts))::int as cohort
          from seed_people, generate_series(1, ${Math.round(COHORTS_PER_PERSON * 1.4)}::int)) pick
        join seed_people p on p.nth = pick.nth and p.is_active
        join seed_cohorts c on c.nth = pick.cohort
        limit ${wanted}) m
      order by cohort_id, user_id`.execute(db);
    await sql`analyze cohort_members`.execute(db);
  },
};

export const uploads: SeedPart = {
  name: 'invitations and uploads',
  async fill({ db, people, before }) {
    const invited = Math.round(people / 5);
    await sql`
      create temporary table seed_uploads on commit drop as
      select pg_temp.id_at(at) as id, c.id as cohort_id, at, c.nth
      from seed_cohorts c, lateral (select c.since + interval '1 day' * (1 + c.nth % 5) as at) t where c.nth % 2 = 0`.execute(
      db,
    );
    await sql`
      insert into cohort_uploads (id, cohort_id, slug, locale, created_at)
      select id, cohort_id, 'list-' || nth, 'en', at from seed_uploads`.execute(db);
    await sql`
      insert into cohort_invitations (id, cohort_id, email, upload_id, created_at)
      select pg_temp.id_at(t.at), c.id, 'invited.' || i || '@' || o.domain, u.id, t.at
      from generate_series(${before + 1}::int, ${before + invited}::int) i
      join seed_cohorts c on c.nth = 1 + i % (select count(*)::int from seed_cohorts)
      join seed_offices o on o.nth = 1 + i % ${OFFICES.length}
      left join seed_uploads u on u.cohort_id = c.id,
        lateral (select coalesce(u.at, c.since) + random() * interval '3 days' as at) t`.execute(db);
    await sql`
      update cohort_members m set upload_id = first.upload_id
      from (
        select u.id as upload_id, x.cohort_id, x.user_id, row_number() over (partition by u.id order by x.joined_at) as nth
        from seed_uploads u join cohort_members x on x.cohort_id = u.cohort_id) first
      where first.nth <= 60 and m.cohort_id = first.cohort_id and m.user_id = first.user_id`.execute(db);
    await sql`
      insert into cohort_upload_rows (upload_id, position, email, outcome)
      select upload_id, row_number() over (partition by upload_id order by email), email, outcome
      from (
        select m.upload_id, u.email, 'added' as outcome from cohort_members m join users u on u.id = m.user_id
        where m.upload_id in (select id from seed_uploads)
        union all
        select i.upload_id, i.email, 'invited' from cohort_invitations i where i.upload_id in (select id from seed_uploads)) r`.execute(
      db,
    );
  },
};
