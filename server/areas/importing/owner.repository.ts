import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { upsertChanged } from './upsert.sql.ts';

export type OwnerNamed = { communityId: string; email: string; position: number };

/** Keeps counters and membership in step with people who join at the same time. */
export async function lockCommunities(db: Db, communityIds: string[]): Promise<void> {
  await sql`select 1 from communities where id = any(${communityIds}::uuid[]) order by id for update`.execute(db);
}

/** Proven accounts behind these addresses. */
export async function findProven(db: Db, emails: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from users where email = any(${emails}) and email_proven_at is not null and erased_at is null`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** Makes people owners; answers the communities for which that changed something. */
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
  await sql`
    update communities c set member_count =
      (select count(*) from community_members m where m.community_id = c.id and m.status = 'active')
    where c.id = any(${communityIds}::uuid[])`.execute(db);
}

/** Makes the claims of these communities these and no others; answers the communities for which that changed something. */
export async function putClaims(db: Db, communityIds: string[], claims: OwnerNamed[]): Promise<string[]> {
  const rows = claims.map((claim) => ({
    community_id: claim.communityId,
    email: claim.email,
    position: claim.position,
  }));
  const gone = await sql<{ community_id: string }>`
    delete from community_owner_claims where community_id = any(${communityIds}::uuid[])
      and not (community_id, email) in (select r.community_id, r.email
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(community_id uuid, email text))
    returning community_id`.execute(db);
  const changed = await upsertChanged(db, {
    table: 'community_owner_claims',
    columns: { community_id: 'uuid', email: 'text', position: 'smallint' },
    key: ['community_id', 'email'],
    rows,
  });
  return [...gone.rows.map((row) => row.community_id), ...changed.map(({ key }) => String(key[0]))];
}

export type NamedOwnerRow = { email: string; name: string | null; userId: string | null };

/** Who owns a community, then who will with their account. */
export async function findOwners(db: Db, communityId: string): Promise<NamedOwnerRow[]> {
  const { rows } = await sql<NamedOwnerRow>`
    select u.email, u.name, u.id as "userId" from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.role = 'owner' and m.status = 'active' and u.email is not null
    union all select k.email, null, null from community_owner_claims k where k.community_id = ${communityId}
    order by 2 nulls last, 1`.execute(db);
  return rows;
}

/** The community of an entry; undefined while it is only a draft. */
export async function getCommunityId(db: Db, entryId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from communities where entry_id = ${entryId}`.execute(db);
  return rows[0]?.id;
}

/** False when the address is named already. */
export async function insertClaim(
  db: Db,
  { communityId, email }: { communityId: string; email: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into community_owner_claims (community_id, email, position)
    select ${communityId}, ${email}, coalesce(max(position) + 1, 0) from community_owner_claims
    where community_id = ${communityId}
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

export async function deleteClaim(
  db: Db,
  { communityId, email }: { communityId: string; email: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from community_owner_claims where community_id = ${communityId} and email = ${email}`.execute(db);
  return numAffectedRows === 1n;
}

export async function demoteOwner(
  db: Db,
  { communityId, userId }: { communityId: string; userId: string },
): Promise<void> {
  await sql`
    update community_members set role = 'member' where community_id = ${communityId} and user_id = ${userId}`.execute(
    db,
  );
}
