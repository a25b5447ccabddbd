import { type NotNull, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import { upsertChanged } from './upsert.sql.ts';

export type OwnerNamed = { communityId: string; email: string; position: number };

/** Locks communities, so that counters and memberships stay consistent with concurrent joins. */
export async function lockCommunities(db: Db, communityIds: string[]): Promise<void> {
  await db
    .selectFrom('communities')
    .select('id')
    .where('id', '=', anyOf(communityIds, 'uuid'))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Returns the ids of accounts whose e-mail address is proven, by address. */
export async function findProven(db: Db, emails: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', anyOf(emails, 'text'))
    .where('email_proven_at', 'is not', null)
    .where('erased_at', 'is', null)
    .$narrowType<{ email: NotNull }>()
    .execute();
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** Makes users owners and returns the communities that changed. */
export async function putOwners(db: Db, owners: { communityId: string; userId: string }[]): Promise<string[]> {
  const rows = owners.map((owner) => ({
    community_id: owner.communityId,
    user_id: owner.userId,
    role: 'owner',
    status: 'active',
  }));
  const changed = await upsertChanged(db, {
    table: 'community_members',
    columns: { community_id: 'uuid', user_id: 'uuid', role: 'text', status: 'text' },
    key: ['community_id', 'user_id'],
    rows,
  });
  return changed.map(({ key }) => String(key[0]));
}

export async function countMembers(db: Db, communityIds: string[]): Promise<void> {
  await db
    .updateTable('communities as c')
    .set((eb) => ({
      member_count: eb
        .selectFrom('community_members as m')
        .select((m) => m.fn.countAll<number>().as('count'))
        .whereRef('m.community_id', '=', 'c.id')
        .where('m.status', '=', 'active'),
    }))
    .where('c.id', '=', anyOf(communityIds, 'uuid'))
    .execute();
}

/** Replaces the owner claims of communities and returns the communities that changed. */
export async function putClaims(db: Db, communityIds: string[], claims: OwnerNamed[]): Promise<string[]> {
  const rows = claims.map((claim) => ({
    community_id: claim.communityId,
    email: claim.email,
    position: claim.position,
  }));
  const given = sql<{ community_id: string; email: string }>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
  const gone = await db
    .deleteFrom('community_owner_claims')
    .where('community_id', '=', anyOf(communityIds, 'uuid'))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('community_id', 'email'),
          'in',
          selectFrom(given.as<'r'>(sql`r(community_id uuid, email text)`))
            .select(['r.community_id', 'r.email'])
            .$asTuple('community_id', 'email'),
        ),
      ),
    )
    .returning('community_id')
    .execute();
  const changed = await upsertChanged(db, {
    table: 'community_owner_claims',
    columns: { community_id: 'uuid', email: 'text', position: 'smallint' },
    key: ['community_id', 'email'],
    rows,
  });
  return [...gone.map((row) => row.community_id), ...changed.map(({ key }) => String(key[0]))];
}

export type NamedOwnerRow = { email: string; name: string | null; userId: string | null };

/** Returns the owners of a community, then the claims of future owners. */
export async function findOwners(db: Db, communityId: string): Promise<NamedOwnerRow[]> {
  return await db
    .selectFrom('community_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.community_id', '=', communityId)
    .where('m.role', '=', 'owner')
    .where('m.status', '=', 'active')
    .where('u.email', 'is not', null)
    .select((eb) => [
      eb.ref('u.email').$castTo<string>().as('email'),
      eb.ref('u.name').$castTo<string | null>().as('name'),
      eb.ref('u.id').$castTo<string | null>().as('userId'),
    ])
    .unionAll(
      db
        .selectFrom('community_owner_claims as k')
        .where('k.community_id', '=', communityId)
        .select(['k.email', sql<string | null>`null`.as('name'), sql<string | null>`null`.as('userId')]),
    )
    .orderBy('name', (order) => order.asc().nullsLast())
    .orderBy('email')
    .execute();
}

/** Returns the community of an entry; undefined for a draft. */
export async function getCommunityId(db: Db, entryId: string): Promise<string | undefined> {
  const row = await db.selectFrom('communities').select('id').where('entry_id', '=', entryId).executeTakeFirst();
  return row?.id;
}

/** Inserts an owner claim; false when the address is already named. */
export async function insertClaim(
  db: Db,
  { communityId, email }: { communityId: string; email: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('community_owner_claims')
    .columns(['community_id', 'email', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('community_owner_claims')
        .select((claim) => [
          claim.cast<string>(claim.val(communityId), 'uuid').as('community_id'),
          claim.cast<string>(claim.val(email), 'text').as('email'),
          sql<number>`coalesce(max(${claim.ref('position')}) + 1, 0)`.as('position'),
        ])
        .where('community_id', '=', communityId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteClaim(
  db: Db,
  { communityId, email }: { communityId: string; email: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('community_owner_claims')
    .where('community_id', '=', communityId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function demoteOwner(
  db: Db,
  { communityId, userId }: { communityId: string; userId: string },
): Promise<void> {
  await db
    .updateTable('community_members')
    .set({ role: 'member' })
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
}
