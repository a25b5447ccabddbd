// Raw SQL: prepared statements that share common table expressions and read bitmaps.
import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { countPeople } from '#server/access/people-tally.ts';
import { type Db, runPrepared } from '#server/db/client.ts';
import type { Crowd } from './product-access.policy.ts';

export type FactsRow = {
  allUsers: Crowd;
  is_set: boolean;
  is_join_by_invitation: boolean;
  /** Scopes of the journey's course, set or not; null for other products. */
  course_view: Scope | null;
  course_join: Scope | null;
  /** Cohorts that give access. */
  cohorts: number;
  is_by_invitation: boolean;
  /** Scopes of the journey's course; null if they do not apply. */
  floor_view: Scope | null;
  floor_join: Scope | null;
  /** Effective scopes. An unset journey follows its course. */
  held_view: Scope;
  held_join: Scope;
};

const ALL_USERS = sql`jsonb_build_object(
  'others', ${countPeople({ role: 'non-public-servant', isInUse: true })},
  'servants', ${countPeople({ role: 'public-servant', isInUse: true })},
  'administrators', ${countPeople({ role: 'administrator', isInUse: true })})`;

/** CTEs: the product with its course, journey or community, and `journeys_of`, the journeys of its course. */
const product = (id: string) => sql`
  product as (
    select p.entry_id, p.can_view, p.can_join, p.is_set,
      c.id as course_id, c.type as course_type, j.privacy as journey_privacy, y.id as community_id, y.privacy as community_privacy,
      j.key is not null as is_journey, q.can_view as course_view, q.can_join as course_join,
      coalesce(q.is_set, false) as is_course_set
    from products p
    left join journeys j on j.entry_id = p.entry_id
    left join courses c on c.id = coalesce(j.course_id, p.entry_id)
    left join products q on q.entry_id = j.course_id
    left join communities y on y.entry_id = p.entry_id
    where p.entry_id = ${id}),
  journeys_of as materialized (
    select k.key, k.entry_id from product join journeys k on k.course_id = product.course_id)`;
/** Users enrolled in it or members of it, possibly twice. */
const enrolled = (id: string) => sql`
  select e.user_id from journeys_of k join journey_enrolments e on e.journey_key = k.key
  where enrolment_status(e.status, e.expires_on) = 'enrolled'
  union all select m.user_id from product join community_members m on m.community_id = product.community_id
  where m.status = 'active' and (m.expires_on <= now()) is not true
  union all select m.user_id from academy_members m where m.academy_id = ${id}`;

/** The facts that decide access to a product, with the number of accounts by role. */
export async function getAccessFacts(db: Db, id: string): Promise<FactsRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<FactsRow>`
    with ${product(id)}
    select ${ALL_USERS} as "allUsers",
      coalesce(product.course_type = 'Private' or product.journey_privacy like '%-private'
        or product.community_privacy = 'closed-hidden', false) as is_by_invitation,
      product.is_set,
      coalesce(product.journey_privacy not like 'open-%', false) as is_join_by_invitation,
      case when product.is_journey then coalesce(product.course_view, 'private') end as course_view,
      case when product.is_journey then coalesce(product.course_join, 'private') end as course_join,
      (select count(distinct x.cohort_id)::int from cohort_products x join cohorts k on k.id = x.cohort_id and k.deleted_at is null
        where x.entry_id = product.entry_id or x.entry_id = product.course_id
          or x.entry_id in (select entry_id from journeys_of)) as cohorts,
      case when product.is_course_set then product.course_view end as floor_view,
      case when product.is_course_set then product.course_join end as floor_join,
      case when product.is_journey and not product.is_set then coalesce(product.course_view, 'private') else product.can_view end as held_view,
      case when product.is_journey and not product.is_set then coalesce(product.course_join, 'private') else product.can_join end as held_join
    from product`,
  );
  return row;
}

/** Number of users enrolled in it or members of it. */
export async function countEnrolled(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ enrolled: number }>`
    with ${product(id)} select count(distinct user_id)::int as enrolled from (${enrolled(id)}) enrolled`.execute(db);
  return rows[0]!.enrolled; // an aggregate always returns one row
}

/**
 * Counts active accounts with access through a cohort or an enrolment. A course and its journeys give access to each
 * other. Cohorts are combined as bitmaps (`cohort_crowds`), recently changed ones as their members. Ids are passed as
 * arrays, which PostgreSQL hashes; with little `work_mem` it would scan a subquery again for each user.
 */
export async function getInsiders(db: Db, id: string): Promise<Crowd> {
  const [row] = await runPrepared(
    db,
    sql<{ insiders: Crowd }>`
    with ${product(id)},
    doors as (
      select ${id}::text as entry_id union select course_id from product where course_id is not null
      union select entry_id from journeys_of where entry_id is not null),
    cohorts_in as materialized (
      select distinct x.cohort_id, exists (
        select from tally_changes t where t.thing = 'cohort_members' and t.key = x.cohort_id::text) as has_changed
      from doors join cohort_products x on x.entry_id = doors.entry_id),
    crowd as materialized (
      select c.chunk, bit_or(c.people) as people from cohort_crowds c
      where c.cohort_id = any(array(select cohort_id from cohorts_in where not has_changed)) group by c.chunk),
    named as materialized (
      select array(${enrolled(id)}) as enrolled, array(
        select m.user_id from cohort_members m
        where m.cohort_id = any(array(select cohort_id from cohorts_in where has_changed))) as changed)
    select jsonb_build_object(
      'others', count(*) filter (where u.role = 'non-public-servant'),
      'servants', count(*) filter (where u.role = 'public-servant'),
      'administrators', count(*) filter (where u.role = 'administrator')) as insiders
    from users u left join crowd on crowd.chunk = u.number >> 12
    where u.role <> 'inactive' and u.email_proven_at is not null and u.erased_at is null
      and (get_bit(crowd.people, u.number & 4095) = 1 or u.id in (select unnest(enrolled || changed) from named))`,
  );
  return row!.insiders; // an aggregate always returns one row
}
