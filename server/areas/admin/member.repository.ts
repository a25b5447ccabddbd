import { sql } from 'kysely';
import { lockNameShared } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import { tallyOf } from '#server/db/tallies.ts';

/**
 * Shared lock for checking accounts and then inviting the rest. Proving an address takes the exclusive lock (see
 * auth/cohort-claim.repository.ts), so that no invitation is created next to the account it is meant for.
 */
export async function lockPlacing(db: Db): Promise<void> {
  await lockNameShared(db, 'cohort invitations');
}

export type AccountRow = { id: string; email: string; locale: string; is_proven: boolean; is_inactive: boolean };

export async function findAccounts(db: Db, emails: string[]): Promise<AccountRow[]> {
  return await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'email',
      'locale',
      eb('email_proven_at', 'is not', null).as('is_proven'),
      eb('role', '=', 'inactive').as('is_inactive'),
    ])
    .$narrowType<{ email: string; is_proven: boolean; is_inactive: boolean }>()
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .execute();
}

/** `byHand`: added individually, so undoing an upload keeps them. */
export type CohortPlacing = { cohortId: string; uploadId: string | null; byHand: boolean };

/** Returns the users who were not members before. */
export async function insertMembers(db: Db, placing: CohortPlacing, userIds: string[]): Promise<Set<string>> {
  const { cohortId, uploadId, byHand } = placing;
  if (userIds.length === 0) return new Set();
  const users = sql<{ user_id: string; nth: number }>`unnest(${userIds}::uuid[]) with ordinality`;
  const rows = await db
    .insertInto('cohort_members')
    .columns(['cohort_id', 'user_id', 'upload_id', 'by_hand'])
    .expression((eb) =>
      eb
        .selectFrom(users.as<'u'>(sql`u (user_id, nth)`))
        .select([
          sql<string>`${cohortId}::uuid`.as('cohort_id'),
          'u.user_id',
          sql<string | null>`${uploadId}::uuid`.as('upload_id'),
          sql<boolean>`${byHand}::boolean`.as('by_hand'),
        ])
        .orderBy('u.nth'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  if (byHand)
    await db
      .updateTable('cohort_members')
      .set({ by_hand: true })
      .where('cohort_id', '=', cohortId)
      .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
      .where((eb) => eb.not('by_hand'))
      .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Returns the newly invited addresses with the ids of their invitations. */
export async function insertInvitations(
  db: Db,
  placing: CohortPlacing,
  emails: string[],
): Promise<Map<string, string>> {
  const { cohortId, uploadId, byHand } = placing;
  if (emails.length === 0) return new Map();
  const ids = emails.map(() => newId());
  const invitations = sql<{ id: string; email: string; nth: number }>`
    unnest(${ids}::uuid[], ${emails}::text[]) with ordinality`;
  const rows = await db
    .insertInto('cohort_invitations')
    .columns(['id', 'cohort_id', 'email', 'upload_id', 'by_hand'])
    .expression((eb) =>
      eb
        .selectFrom(invitations.as<'i'>(sql`i (id, email, nth)`))
        .select([
          'i.id',
          sql<string>`${cohortId}::uuid`.as('cohort_id'),
          'i.email',
          sql<string | null>`${uploadId}::uuid`.as('upload_id'),
          sql<boolean>`${byHand}::boolean`.as('by_hand'),
        ])
        .orderBy('i.nth'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'email'])
    .execute();
  if (byHand)
    await db
      .updateTable('cohort_invitations')
      .set({ by_hand: true })
      .where('cohort_id', '=', cohortId)
      .where('email', '=', sql<string>`any(${emails}::text[])`)
      .where((eb) => eb.not('by_hand'))
      .execute();
  return new Map(rows.map((row) => [row.email, row.id]));
}

export async function deleteMember(
  db: Db,
  { cohortId, userId }: { cohortId: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('cohort_members')
    .where('cohort_id', '=', cohortId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteInvitation(db: Db, { cohortId, id }: { cohortId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('cohort_invitations')
    .where('cohort_id', '=', cohortId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function countMembers(db: Db, cohortId: string): Promise<number> {
  const { total } = await db
    .selectNoFrom(tallyOf('cohort_members', sql`${cohortId}`).as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** A position in the list of members: join time in microseconds and user id. */
export type MemberPosition = { joinedMicros: string; userId: string };
export type CohortMemberRow = {
  id: string;
  email: string;
  name: string;
  joined_at: Date;
  joined_micros: string;
  upload_id: string | null;
};

export async function findMembersAfter(
  db: Db,
  { cohortId, after, limit }: { cohortId: string; after: MemberPosition | undefined; limit: number },
): Promise<CohortMemberRow[]> {
  let members = db
    .selectFrom('cohort_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.cohort_id', '=', cohortId);
  if (after) {
    const joined = sql<Date>`timestamptz 'epoch' + ${after.joinedMicros}::bigint * interval '1 microsecond'`;
    members = members.where((eb) =>
      eb(eb.refTuple('m.joined_at', 'm.user_id'), '>', eb.tuple(joined, sql<string>`${after.userId}::uuid`)),
    );
  }
  return await members
    .select((eb) => [
      'u.id',
      sql<string>`coalesce(${eb.ref('u.email')}, '')`.as('email'),
      'u.name',
      'm.joined_at',
      'm.upload_id',
      sql<string>`(extract(epoch from ${eb.ref('m.joined_at')}) * 1000000)::bigint::text`.as('joined_micros'),
    ])
    .orderBy('m.joined_at')
    .orderBy('m.user_id')
    .limit(limit)
    .execute();
}

export async function getTokenKey(db: Db, cohortId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('cohorts')
    .select('token_key')
    .where('id', '=', cohortId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.token_key;
}

export type InvitationRow = { id: string; email: string; name: string; created_at: Date };

export async function findInvitations(
  db: Db,
  { cohortId, limit, after }: { cohortId: string; limit: number; after: number },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const rows = await db
    .selectFrom('cohort_invitations as i')
    .leftJoin('users as u', 'u.email', 'i.email')
    .select((eb) => ['i.id', 'i.email', sql<string>`coalesce(${eb.ref('u.name')}, '')`.as('name'), 'i.created_at'])
    .where('i.cohort_id', '=', cohortId)
    .orderBy('i.id')
    .limit(limit)
    .offset(after)
    .execute();
  const { total } = await db
    .selectNoFrom(tallyOf('cohort_invitations', sql`${cohortId}`).as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}
