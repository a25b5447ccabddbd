// Raw SQL: the order of scopes.
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

const NOW = sql<Date>`now()`;

const rank = (scope: Expression<unknown>) =>
  sql<number>`array_position(array['public', 'authenticated', 'verified', 'private'], ${scope})`;

export type CohortPlaces = { cohortId: string; userIds: string[]; entryIds: string[] };

/**
 * Ends enrolments of these users where no cohort and no scope allows them now: those in journeys of these products that they
 * or a cohort made, and others that this cohort made. With `areMadeByCohort`, only those that this cohort made in journeys of
 * these products. Enrolments given to them have `metadata` and stay. Returns their number.
 */
export async function endSelfEnrolments(
  db: Db,
  { cohortId, userIds, entryIds, areMadeByCohort = false }: CohortPlaces & { areMadeByCohort?: boolean },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('journey_enrolments as e')
    .from(['users as u', 'journeys as j'])
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .leftJoin('products as pj', 'pj.entry_id', 'j.entry_id')
    .leftJoin('products as pc', 'pc.entry_id', 'c.id')
    .set({ status: 'expired', expires_on: NOW, updated_at: NOW })
    .where('e.user_id', '=', ({ fn, val }) => fn.any(val(userIds)))
    .whereRef('u.id', '=', 'e.user_id')
    .whereRef('j.key', '=', 'e.journey_key')
    .where((eb) => {
      const isByCohort = eb('e.cohort_id', '=', cohortId);
      const isOfProducts = eb.or([
        eb('j.entry_id', '=', eb.fn.any(eb.val(entryIds))),
        eb('c.id', '=', eb.fn.any(eb.val(entryIds))),
      ]);
      return areMadeByCohort ? eb.and([isByCohort, isOfProducts]) : eb.or([isByCohort, isOfProducts]);
    })
    .where((eb) => eb(eb.fn('enrolment_status', ['e.status', 'e.expires_on']), '=', 'enrolled'))
    .where('e.metadata', '=', sql<string>`'{}'`)
    .where((eb) => eb.not(eb.fn<boolean>('is_granted', ['u.id', 'c.id'])))
    .where((eb) => eb.not(eb.fn.coalesce(eb.fn<boolean>('is_granted', ['u.id', 'j.entry_id']), eb.lit(false))))
    .where('u.role', '<>', 'administrator')
    .where((eb) => {
      const isSet = eb.fn.coalesce('pj.is_set', eb.lit(false));
      const courseRank = rank(eb.fn.coalesce('pc.can_join', eb.val('private')));
      // The scope that decides who may enrol without a grant, as in course-access.policy.ts.
      const joinRank = eb.fn<number>('greatest', [
        eb
          .case()
          .when('pj.is_set', '=', true)
          .then(rank(eb.ref('pj.can_join')))
          .end(),
        eb
          .case()
          .when(eb.or([eb.not(isSet), eb.fn.coalesce('pc.is_set', eb.lit(false))]))
          .then(courseRank)
          .end(),
      ]);
      const allowedRank = eb.case().when('u.role', '=', 'public-servant').then(3).else(2).end();
      return eb.not(
        eb.and([eb('c.type', '=', 'Public'), eb('j.privacy', 'like', 'open-%'), eb(joinRank, '<=', allowedRank)]),
      );
    })
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Deletes the enrolments that a cohort made for these users and that they have not started, in journeys of these products;
 * `entryIds` null: in all. Those that were given to them or paid since, or that a cohort grants now, stay. A scope does not keep
 * them, because nobody chose them. Returns their number.
 */
export async function deleteUnstarted(
  db: Db,
  { cohortId, userIds, entryIds }: { cohortId: string; userIds: string[]; entryIds: string[] | null },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('journey_enrolments as e')
    .using('journeys as j')
    .whereRef('j.key', '=', 'e.journey_key')
    .where('e.cohort_id', '=', cohortId)
    .where('e.user_id', '=', ({ fn, val }) => fn.any(val(userIds)))
    .where('e.started_at', 'is', null)
    .where('e.completed_at', 'is', null)
    .where('e.metadata', '=', sql<string>`'{}'`)
    .where(
      sql<SqlBool>`(${entryIds}::text[] is null or j.entry_id = any(${entryIds}) or j.course_id = any(${entryIds}))`,
    )
    .where((eb) => eb.not(eb.fn<boolean>('is_granted', ['e.user_id', 'j.course_id'])))
    .where((eb) => eb.not(eb.fn.coalesce(eb.fn<boolean>('is_granted', ['e.user_id', 'j.entry_id']), eb.lit(false))))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payments as p')
            .select('p.id')
            .whereRef('p.user_id', '=', 'e.user_id')
            .whereRef('p.journey_key', '=', 'e.journey_key')
            .where('p.state', '=', 'paid'),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The next users whom a cohort enrolled in journeys of these products, in the order of their ids. */
export async function findEnrolledByCohort(
  db: Db,
  { cohortId, entryIds, after, limit }: { cohortId: string; entryIds: string[]; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('journey_enrolments as e')
    .innerJoin('journeys as j', 'j.key', 'e.journey_key')
    .select('e.user_id')
    .distinct()
    .where('e.cohort_id', '=', cohortId)
    .where((eb) => eb.or([eb('j.entry_id', 'in', entryIds), eb('j.course_id', 'in', entryIds)]))
    .$if(after !== null, (query) => query.where('e.user_id', '>', after))
    .orderBy('e.user_id')
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** The current enrolments that members of a cohort made themselves in journeys of its products. */
export async function countSelfEnrolmentsOf(db: Db, cohortId: string): Promise<number> {
  const products = db.selectFrom('cohort_products').select('entry_id').where('cohort_id', '=', cohortId);
  const { count } = await db
    .selectFrom('journey_enrolments as e')
    .innerJoin('cohort_members as m', 'm.user_id', 'e.user_id')
    .innerJoin('journeys as j', 'j.key', 'e.journey_key')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('m.cohort_id', '=', cohortId)
    .where((eb) => eb.or([eb('j.entry_id', 'in', products), eb('j.course_id', 'in', products)]))
    .where((eb) => eb(eb.fn('enrolment_status', ['e.status', 'e.expires_on']), '=', 'enrolled'))
    .where('e.metadata', '=', sql<string>`'{}'`)
    .executeTakeFirstOrThrow();
  return count;
}
