import { sql } from 'kysely';
import { OFFICES } from './words.ts';
import type { SeedPart } from './run.ts';

const JOURNEYS_PER_PERSON = 2;

export const enrolments: SeedPart = {
  name: 'enrolments',
  async fill({ db, people, before }) {
    await sql`
      create temporary table seed_journeys on commit drop as
      select row_number() over (order by j.key)::int as nth, j.key, j.slug, c.slug as course
      from journeys j join courses c on c.id = j.course_id where j.withdrawn_at is null`.execute(db);
    // Enrolments have expired or expire far in the future, so that no reminder goes out for an invented date.
    await sql`
      insert into journey_enrolments (id, user_id, journey_key, locale, status, expires_on, created_at, updated_at)
      select pg_temp.id_at(at), p.id, j.key, 'en', case when dice < 0.04 then 'expired' else 'enrolled' end,
        case when dice < 0.04 then now() - interval '5 days' when dice < 0.08 then now() + interval '400 days' end, at, at
      from (
        select distinct on (nth, journey) nth, journey, dice from (
          select nth, 1 + floor(power(random(), 1.4) * (select count(*) from seed_journeys))::int as journey, random() as dice
          from seed_people, generate_series(1, ${JOURNEYS_PER_PERSON}::int)) d) pick
      join seed_people p on p.nth = pick.nth and p.is_active
      join seed_journeys j on j.nth = pick.journey,
        lateral (select p.since + random() * 0.8 * (now() - interval '6 days' - p.since) as at) t
      on conflict (user_id, journey_key) do nothing`.execute(db);
    await sql`analyze journey_enrolments`.execute(db);
    await sql`
      insert into bulk_enrolments (id, email, type, slug, journey_slug, status, granted_at, created_at, updated_at)
      select pg_temp.id_at(e.created_at), u.email, 'courses', j.course, j.slug, 'enrolled', e.created_at, e.created_at, e.created_at
      from seed_people p join users u on u.id = p.id join journey_enrolments e on e.user_id = p.id
      join seed_journeys j on j.key = e.journey_key
      where p.nth % 10 = 0 and e.expires_on is null
      on conflict do nothing`.execute(db);
    await sql`
      insert into bulk_enrolments (id, email, type, slug, journey_slug, status, created_at, updated_at)
      select pg_temp.id_at(at), 'invited.' || i || '@' || o.domain, 'courses', j.course, j.slug, 'pending', at, at
      from generate_series(${before + 1}::int, ${before + Math.round(people / 20)}::int) i
      join seed_journeys j on j.nth = 1 + i % (select count(*)::int from seed_journeys)
      join seed_offices o on o.nth = 1 + i % ${OFFICES.length},
        lateral (select now() - random() * interval '60 days' as at) t
      on conflict do nothing`.execute(db);
  },
};

/** Each learner has completed the first lessons of a journey, in order; `progress` is the snapshot after each. */
export const completions: SeedPart = {
  name: 'completions and certificates',
  async fill({ db }) {
    await sql`
      insert into lesson_completions (id, user_id, lesson_key, locale, completed_at, progress)
      select pg_temp.id_at(at), s.user_id, l.key, 'en', at, jsonb_build_object(
        'completedLessons', l.mandatory_done, 'completedTime', l.minutes_done,
        'mandatoryLessons', l.mandatory_all, 'mandatoryTime', l.minutes_all,
        'optional', jsonb_build_object('completedLessons', l.optional_done, 'lessons', l.optional_all))
      from (
        select e.user_id, e.journey_key, e.created_at, power(random(), 0.6) as share from journey_enrolments e
        join seed_people p on p.id = e.user_id) s
      join (
        select key, journey_key, row_number() over done as nth, count(*) over whole as total,
          count(*) filter (where mandatory) over done as mandatory_done, count(*) filter (where mandatory) over whole as mandatory_all,
          coalesce(sum(minutes) filter (where mandatory) over done, 0) as minutes_done,
          coalesce(sum(minutes) filter (where mandatory) over whole, 0) as minutes_all,
          count(*) filter (where not mandatory) over done as optional_done,
          count(*) filter (where not mandatory) over whole as optional_all
        from lessons where withdrawn_at is null
        window whole as (partition by journey_key), done as (partition by journey_key order by position, key)) l
        on l.journey_key = s.journey_key and l.nth <= floor(s.share * 1.25 * l.total),
        lateral (select s.created_at + (l.nth::float8 / l.total) * 0.7 * (now() - interval '2 days' - s.created_at) as at) t
      on conflict (user_id, lesson_key, lapsed_at) do nothing`.execute(db);
    await sql`analyze lesson_completions`.execute(db);
    // The first lesson starts the enrolment; the last mandatory one completes it.
    await sql`
      update journey_enrolments e set started_at = d.first, completed_at = d.done_at,
        updated_at = greatest(e.updated_at, d.done_at)
      from (
        select c.user_id, l.journey_key, min(c.completed_at) as first,
          case when count(*) filter (where l.is_counted) = j.counted then max(c.completed_at) filter (where l.is_counted) end as done_at
        from lesson_completions c
        join (select key, journey_key, mandatory and withdrawn_at is null as is_counted from lessons) l on l.key = c.lesson_key
        join (
          select journey_key, nullif(count(*) filter (where mandatory and withdrawn_at is null), 0) as counted
          from lessons group by 1) j on j.journey_key = l.journey_key
        join seed_people p on p.id = c.user_id
        group by 1, 2, j.counted) d
      where e.user_id = d.user_id and e.journey_key = d.journey_key`.execute(db);
    await sql`
      with earned as materialized (
        select pg_temp.id_at(e.completed_at) as id, e.user_id, e.journey_key,
          translate(encode(uuid_send(gen_random_uuid()), 'hex'), '-', '') as public_id, u.name,
          coalesce(c.title->>'en', c.slug) as course_title, coalesce(j.title->>'en', j.slug) as journey_title,
          s.lessons, s.minutes, e.completed_at,
          nextval(pg_get_serial_sequence('credential_statuses', 'position')) as position
        from journey_enrolments e join seed_people p on p.id = e.user_id join users u on u.id = e.user_id
        join journeys j on j.key = e.journey_key join courses c on c.id = j.course_id
        join (select journey_key, count(*)::int as lessons, sum(minutes)::int as minutes from lessons
          where mandatory and withdrawn_at is null group by 1) s on s.journey_key = j.key
        where e.completed_at is not null and p.nth % 4 <> 0
          and not exists (select from certificates t where t.user_id = e.user_id and t.journey_key = e.journey_key)
      ), places as (insert into credential_statuses (position) select position from earned)
      insert into certificates (id, user_id, journey_key, public_id, name_on_certificate, course_title, journey_title, locale,
        lessons, minutes, issued_at, status_position)
      select id, user_id, journey_key, public_id, name, course_title, journey_title, 'en', lessons, minutes, completed_at,
        position
      from earned`.execute(db);
  },
};
