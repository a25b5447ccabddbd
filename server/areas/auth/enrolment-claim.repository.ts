// Raw SQL: SQL functions, JSON and comparisons with the database clock.
// Granting a record writes the tables of cohorts, journeys and communities in the transaction that proves an address, so
// these statements stand together here.
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

const NOW = sql<Date>`now()`;

export type OpenRecord = { id: string; email: string; type: string; cohort_ids: string[] };

/** Locks a record; undefined when it is granted already or has expired. */
export async function lockOpenRecord(db: Db, id: string): Promise<OpenRecord | undefined> {
  const row = await db
    .selectFrom('bulk_enrolments')
    .select((eb) => [
      'id',
      'email',
      'type',
      'cohort_ids',
      'granted_at',
      eb.fn<string>('enrolment_status', ['status', 'expires_on']).as('current_status'),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && row.granted_at === null && row.current_status !== 'expired' ? row : undefined;
}

/** Records of an address that are not granted, in the order in which they are locked. */
export async function findOpenRecords(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bulk_enrolments')
    .select('id')
    .where('email', '=', email)
    .where('granted_at', 'is', null)
    .orderBy('type')
    .orderBy('slug')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The account of an address, proven or not. */
export async function getOwner(
  db: Db,
  email: string,
): Promise<{ id: string; role: string; isProven: boolean } | undefined> {
  return await db
    .selectFrom('users')
    .select((eb) => ['id', 'role', eb('email_proven_at', 'is not', null).$castTo<boolean>().as('isProven')])
    .where('email', '=', email)
    .executeTakeFirst();
}

/** Makes a new record pending. Returns false for one that was pending already. */
export async function markPending(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_enrolments')
    .set({ status: 'pending', updated_at: NOW })
    .where('id', '=', id)
    .where('status', '=', 'created')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markGranted(db: Db, id: string): Promise<void> {
  await db
    .updateTable('bulk_enrolments')
    .set({ status: 'enrolled', granted_at: NOW, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** The journeys of a record: the named one, or all of its course. */
const isJourneyOfRecord = (eb: ExpressionBuilder<DB & { b: DB['bulk_enrolments']; j: DB['journeys'] }, 'b' | 'j'>) =>
  eb.or([eb('b.journey_slug', '=', ''), eb('b.journey_slug', '=', eb.ref('j.slug'))]);

/** Enrols a user in the journeys of a record. The later of two end dates holds; none is the latest. */
export async function enrolInJourneys(db: Db, recordId: string, userId: string): Promise<void> {
  await db
    .insertInto('journey_enrolments')
    .columns(['id', 'user_id', 'journey_key', 'locale', 'status', 'expires_on', 'metadata'])
    .expression((eb) =>
      eb
        .selectFrom('bulk_enrolments as b')
        .innerJoin('courses as c', 'c.slug', 'b.slug')
        .innerJoin('journeys as j', 'j.course_id', 'c.id')
        .select((select) => [
          sql<string>`new_id()`.as('id'),
          select.cast<string>(select.val(userId), 'uuid').as('user_id'),
          'j.key as journey_key',
          sql<string>`coalesce(${select.ref('b.metadata')} ->> 'locale', 'en')`.as('locale'),
          select.val('enrolled').as('status'),
          'b.expires_on',
          sql<string>`jsonb_build_object('bulkEnrolment', true, 'cohortIds', to_jsonb(${select.ref('b.cohort_ids')}))`.as(
            'metadata',
          ),
        ])
        .where('b.id', '=', recordId)
        .where('j.withdrawn_at', 'is', null)
        .where(isJourneyOfRecord)
        .orderBy('j.key'),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'journey_key']).doUpdateSet((eb) => ({
        status: 'enrolled',
        cohort_id: null,
        metadata: sql<string>`${eb.ref('journey_enrolments.metadata')} || ${eb.ref('excluded.metadata')}`,
        updated_at: NOW,
        expires_on: eb
          .case()
          .when(
            eb.fn('enrolment_status', ['journey_enrolments.status', 'journey_enrolments.expires_on']),
            '<>',
            'enrolled',
          )
          .then(eb.ref('excluded.expires_on'))
          .when(eb.or([eb('journey_enrolments.expires_on', 'is', null), eb('excluded.expires_on', 'is', null)]))
          .then(sql<Date | null>`null`)
          .else(eb.fn<Date | null>('greatest', ['journey_enrolments.expires_on', 'excluded.expires_on']))
          .end(),
      })),
    )
    .execute();
}

/** Locks the community of a record, as every change of its members does; undefined when it does not exist. */
export async function lockCommunityOf(db: Db, recordId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('communities as c')
    .innerJoin('bulk_enrolments as b', 'b.slug', 'c.slug')
    .select('c.id')
    .where('b.id', '=', recordId)
    .where('b.type', '=', 'communities')
    .forNoKeyUpdate('c')
    .executeTakeFirst();
  return row?.id;
}

type Membership = { communityId: string; userId: string };

/** Ends a membership whose end has passed. */
export async function endMembership(db: Db, { communityId, userId }: Membership): Promise<void> {
  await sql`select end_membership(${communityId}, ${userId})`.execute(db);
}

/** Extends an active membership to a later end of the record, or for good. One without an end stays without one. */
export async function extendMembership(db: Db, recordId: string, { communityId, userId }: Membership): Promise<void> {
  await db
    .updateTable('community_members as m')
    .from('bulk_enrolments as b')
    .set((eb) => ({
      expires_on: eb
        .case()
        .when('b.expires_on', '>', eb.ref('m.expires_on'))
        .then(eb.ref('b.expires_on'))
        .when('b.expires_on', 'is not', null)
        .then(eb.ref('m.expires_on'))
        .end(),
      updated_at: NOW,
    }))
    .where('b.id', '=', recordId)
    .where('m.community_id', '=', communityId)
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .where('m.expires_on', 'is not', null)
    .execute();
}

export async function isMember(db: Db, { communityId, userId }: Membership): Promise<boolean> {
  const row = await db
    .selectFrom('community_members')
    .select('id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row !== undefined;
}

/** Admits a user until the end of the record. `joined_at` equals `granted_at`, which identifies this membership later. */
export async function addMember(db: Db, recordId: string, { communityId, userId }: Membership): Promise<void> {
  await db
    .insertInto('community_members')
    .columns(['community_id', 'user_id', 'status', 'joined_at', 'expires_on'])
    .expression((eb) =>
      eb
        .selectFrom('bulk_enrolments as b')
        .select((select) => [
          select.cast<string>(select.val(communityId), 'uuid').as('community_id'),
          select.cast<string>(select.val(userId), 'uuid').as('user_id'),
          select.val('active').as('status'),
          NOW.as('joined_at'),
          'b.expires_on',
        ])
        .where('b.id', '=', recordId),
    )
    .onConflict((conflict) =>
      conflict.columns(['community_id', 'user_id']).doUpdateSet((eb) => ({
        status: 'active',
        joined_at: NOW,
        expires_on: eb.ref('excluded.expires_on'),
        updated_at: NOW,
      })),
    )
    .execute();
  await db
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '+', 1) }))
    .where('id', '=', communityId)
    .execute();
}

export type GrantedRecord = { type: string; cohort_ids: string[]; userId: string };

/** A granted record with its owner; undefined when it is not granted or the account no longer exists. */
export async function getGrantedRecord(db: Db, id: string): Promise<GrantedRecord | undefined> {
  return await db
    .selectFrom('bulk_enrolments as b')
    .innerJoin('users as u', 'u.email', 'b.email')
    .select(['b.type', 'b.cohort_ids', 'u.id as userId'])
    .where('b.id', '=', id)
    .where('b.granted_at', 'is not', null)
    .executeTakeFirst();
}

/** Copies the end date and the cohorts of a record to the journey enrolments it granted. */
export async function updateJourneys(db: Db, recordId: string, userId: string): Promise<void> {
  await db
    .updateTable('journey_enrolments as e')
    .from('bulk_enrolments as b')
    .innerJoin('courses as c', 'c.slug', 'b.slug')
    .innerJoin('journeys as j', 'j.course_id', 'c.id')
    .set((eb) => ({
      expires_on: eb.ref('b.expires_on'),
      updated_at: NOW,
      status: eb.case().when('b.expires_on', '<=', NOW).then('expired').else('enrolled').end(),
      metadata: sql<string>`${eb.ref('e.metadata')} || jsonb_build_object('cohortIds', to_jsonb(${eb.ref('b.cohort_ids')}))`,
    }))
    .where('b.id', '=', recordId)
    .where('e.user_id', '=', userId)
    .whereRef('e.journey_key', '=', 'j.key')
    .where(isJourneyOfRecord)
    .execute();
}

/** Copies the end date of a record to the membership it granted. Owners and moderators stay without one. */
export async function updateMembership(db: Db, recordId: string, { communityId, userId }: Membership): Promise<void> {
  await db
    .updateTable('community_members as m')
    .from('bulk_enrolments as b')
    .set((eb) => ({ expires_on: eb.ref('b.expires_on'), updated_at: NOW }))
    .where('b.id', '=', recordId)
    .where('m.community_id', '=', communityId)
    .where('m.user_id', '=', userId)
    .whereRef('m.joined_at', '=', 'b.granted_at')
    .where('m.role', '=', 'member')
    .where(sql<SqlBool>`m.level is distinct from 3`)
    .where(sql<SqlBool>`m.expires_on is distinct from b.expires_on`)
    .execute();
}
