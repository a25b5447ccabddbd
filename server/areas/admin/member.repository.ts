import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { tallyOf } from '#server/db/tallies.ts';

/**
 * Held by whoever looks who has an account and then invites the others. Proving an address takes it alone (see
 * auth/cohort-claim.ts), so that no invitation comes into being unseen beside the account it waits for.
 */
export async function lockPlacing(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('cohort invitations', 0))`.execute(db);
}

export type AccountRow = { id: string; email: string; locale: string; is_proven: boolean; is_inactive: boolean };

export async function findAccounts(db: Db, emails: string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select id, email, locale, email_proven_at is not null as is_proven, role = 'inactive' as is_inactive
    from users where email = any(${emails}::text[])`.execute(db);
  return rows;
}

/** `byHand`: somebody was added alone, and stays whatever becomes of the upload that named them first. */
export type CohortPlacing = { cohortId: string; uploadId: string | null; byHand: boolean };

/** Answers which of them were no members before. */
export async function insertMembers(db: Db, placing: CohortPlacing, userIds: string[]): Promise<Set<string>> {
  const { cohortId, uploadId, byHand } = placing;
  if (userIds.length === 0) return new Set();
  const { rows } = await sql<{ user_id: string }>`
    insert into cohort_members (cohort_id, user_id, upload_id, by_hand)
    select ${cohortId}, user_id, ${uploadId}, ${byHand}
    from unnest(${userIds}::uuid[]) with ordinality u (user_id, nth) order by nth
    on conflict do nothing returning user_id`.execute(db);
  if (byHand)
    await sql`
      update cohort_members set by_hand = true
      where cohort_id = ${cohortId} and user_id = any(${userIds}::uuid[]) and not by_hand`.execute(db);
  return new Set(rows.map((row) => row.user_id));
}

/** Answers the addresses that were not invited before, with the ids of their invitations. */
export async function insertInvitations(
  db: Db,
  placing: CohortPlacing,
  emails: string[],
): Promise<Map<string, string>> {
  const { cohortId, uploadId, byHand } = placing;
  if (emails.length === 0) return new Map();
  const { rows } = await sql<{ id: string; email: string }>`
    insert into cohort_invitations (id, cohort_id, email, upload_id, by_hand)
    select id, ${cohortId}, email, ${uploadId}, ${byHand}
    from unnest(${emails.map(() => newId())}::uuid[], ${emails}::text[]) with ordinality i (id, email, nth) order by nth
    on conflict do nothing returning id, email`.execute(db);
  if (byHand)
    await sql`
      update cohort_invitations set by_hand = true
      where cohort_id = ${cohortId} and email = any(${emails}::text[]) and not by_hand`.execute(db);
  return new Map(rows.map((row) => [row.email, row.id]));
}

export async function deleteMember(
  db: Db,
  { cohortId, userId }: { cohortId: string; userId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from cohort_members where cohort_id = ${cohortId} and user_id = ${userId}`.execute(db);
  return numAffectedRows > 0n;
}

export async function deleteInvitation(db: Db, { cohortId, id }: { cohortId: string; id: string }): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from cohort_invitations where cohort_id = ${cohortId} and id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

export async function countMembers(db: Db, cohortId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select ${tallyOf('cohort_members', sql`${cohortId}`)} as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A place in the list of members: when one joined, in microseconds, and who. */
export type MemberPlace = { joinedMicros: string; userId: string };
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
  { cohortId, after, limit }: { cohortId: string; after: MemberPlace | undefined; limit: number },
): Promise<CohortMemberRow[]> {
  const isAfter = after
    ? sql`(m.joined_at, m.user_id) >
        (timestamptz 'epoch' + ${after.joinedMicros}::bigint * interval '1 microsecond', ${after.userId}::uuid)`
    : sql`true`;
  const { rows } = await sql<CohortMemberRow>`
    select u.id, coalesce(u.email, '') as email, u.name, m.joined_at, m.upload_id,
      (extract(epoch from m.joined_at) * 1000000)::bigint::text as joined_micros
    from cohort_members m join users u on u.id = m.user_id
    where m.cohort_id = ${cohortId} and ${isAfter}
    order by m.joined_at, m.user_id limit ${limit}`.execute(db);
  return rows;
}

export async function getTokenKey(db: Db, cohortId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ token_key: Buffer }>`select token_key from cohorts where id = ${cohortId}`.execute(db);
  return rows[0]?.token_key;
}

export type InvitationRow = { id: string; email: string; name: string; created_at: Date };

export async function findInvitations(
  db: Db,
  { cohortId, limit, after }: { cohortId: string; limit: number; after: number },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const { rows } = await sql<InvitationRow>`
    select i.id, i.email, coalesce(u.name, '') as name, i.created_at
    from cohort_invitations i left join users u on u.email = i.email
    where i.cohort_id = ${cohortId} order by i.id limit ${limit} offset ${after}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select ${tallyOf('cohort_invitations', sql`${cohortId}`)} as total`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}
