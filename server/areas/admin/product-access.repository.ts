import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { countPeople } from '#server/access/people-tally.ts';
import { type Db, runPrepared } from '#server/db/client.ts';
import type { Crowd } from './product-access.policy.ts';

export type FactsRow = {
  everybody: Crowd;
  is_by_invitation: boolean;
  /** Of the course a journey belongs to; null where they do not hold. */
  floor_view: Scope | null;
  floor_join: Scope | null;
  /** A journey nobody has set follows its course: these scopes hold now. */
  held_view: Scope;
  held_join: Scope;
};

const EVERYBODY = sql`jsonb_build_object(
  'others', ${countPeople({ role: 'non-public-servant', isInUse: true })},
  'servants', ${countPeople({ role: 'public-servant', isInUse: true })},
  'administrators', ${countPeople({ role: 'administrator', isInUse: true })})`;

/** A product with what it is of; `journeys_of` are those of its course. */
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
/** Who has a place in it, some of them twice. */
const placed = (id: string) => sql`
  select e.user_id from journeys_of k join journey_enrolments e on e.journey_key = k.key
  where enrolment_status(e.status, e.expires_on) = 'enrolled'
  union all select m.user_id from product join community_members m on m.community_id = product.community_id
  where m.status = 'active' and (m.expires_on <= now()) is not true
  union all select m.user_id from academy_members m where m.academy_id = ${id}`;

/** What a product rests on, with everybody there is. */
export async function getAccessFacts(db: Db, id: string): Promise<FactsRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<FactsRow>`
    with ${product(id)}
    select ${EVERYBODY} as everybody,
      coalesce(product.course_type = 'Private' or product.journey_privacy like '%-private'
        or product.community_privacy = 'closed-hidden', false) as is_by_invitation,
      case when product.is_course_set then product.course_view end as floor_view,
      case when product.is_course_set then product.course_join end as floor_join,
      case when product.is_journey and not product.is_set then coalesce(product.course_view, 'private') else product.can_view end as held_view,
      case when product.is_journey and not product.is_set then coalesce(product.course_join, 'private') else product.can_join end as held_join
    from product`,
  );
  return row;
}

/** How many have a place in it. */
export async function countPlaces(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ places: number }>`
    with ${product(id)} select count(distinct user_id)::int as places from (${placed(id)}) placed`.execute(db);
  return rows[0]!.places; // an aggregate has one row
}

/**
 * Who in use is let in, by a cohort or with a place. A course lets in by each of its journeys; so does a journey by its
 * course. Cohorts are brought together as bits (`cohort_crowds`), those that have changed since as their members. Ids
 * stand in arrays because those are looked up in a table made once, however many there are: of what it believes to be
 * many, a database with little memory for a query would go through all for each person.
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
      select array(${placed(id)}) as placed, array(
        select m.user_id from cohort_members m
        where m.cohort_id = any(array(select cohort_id from cohorts_in where has_changed))) as changed)
    select jsonb_build_object(
      'others', count(*) filter (where u.role = 'non-public-servant'),
      'servants', count(*) filter (where u.role = 'public-servant'),
      'administrators', count(*) filter (where u.role = 'administrator')) as insiders
    from users u left join crowd on crowd.chunk = u.number >> 12
    where u.role <> 'inactive' and u.email_proven_at is not null and u.erased_at is null
      and (get_bit(crowd.people, u.number & 4095) = 1 or u.id in (select unnest(placed || changed) from named))`,
  );
  return row!.insiders; // an aggregate has one row
}
