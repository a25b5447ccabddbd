import { sql, type Selectable, type Updateable } from 'kysely';
import type { Role } from '#server/access/viewer.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { Users } from '#server/db/schema.ts';

/** Somebody and an address that is theirs. */
export type Proven = { userId: string; email: string };

export type UserRow = Selectable<Users>;
/** Columns others may change; the address, the role and the credentials have functions of their own. */
export type UserChanges = Omit<
  Updateable<Users>,
  'id' | 'email' | 'email_proven_at' | 'role' | 'password_hash' | 'created_at' | 'updated_at' | 'erased_at'
>;
export type NewUser = {
  email: string;
  name: string;
  locale: string;
  isProven?: boolean;
} & UserChanges;

export async function getUser(db: Db, id: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
}

export async function getUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** The ids of those who have an account, in their order from the one after `after` on. */
export async function findUserIds(
  db: Db,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('erased_at', 'is', null)
    .$if(after !== undefined, (query) => query.where('id', '>', after!)) // tested just before
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The row, and nobody else's changes to it until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Undefined when the address has an account already; waits for one that is just being made. */
export async function insertUser(db: Db, { isProven, ...user }: NewUser, role?: Role): Promise<UserRow | undefined> {
  return await db
    .insertInto('users')
    .values({ id: newId(), email_proven_at: isProven ? sql<Date>`now()` : null, ...user, ...(role && { role }) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateUser(db: Db, id: string, changes: UserChanges): Promise<UserRow | undefined> {
  return await db
    .updateTable('users')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function updateRole(db: Db, id: string, role: Role): Promise<void> {
  await sql`update users set role = ${role}, updated_at = now() where id = ${id} and erased_at is null`.execute(db);
}

/**
 * Whether an administrator other than this account can sign in. Callers queue on a lock of their transaction, so that of
 * two administrators who leave at the same time one stays.
 */
export async function hasOtherAdministrator(db: Db, id: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`.execute(db);
  const { rows } = await sql<{ has_other: boolean }>`
    select exists (
      select from users where role = 'administrator' and erased_at is null and email_proven_at is not null and id <> ${id}
    ) as has_other`.execute(db);
  return rows[0]?.has_other ?? false;
}

/** Marks the address as proven and, where a rule approves its owner, makes them a public servant. */
export async function updateProven(db: Db, { id, ruleId }: { id: string; ruleId: string | null }): Promise<void> {
  await sql`
    update users set email_proven_at = coalesce(email_proven_at, now()), updated_at = now(),
      role = case when ${ruleId}::uuid is not null and role = 'non-public-servant' then 'public-servant' else role end,
      approved_by_rule = case when role = 'non-public-servant' then ${ruleId}::uuid else approved_by_rule end,
      registration_status = case
        when ${ruleId}::uuid is not null and registration_status = 'pending' then 'approved' else registration_status end
    where id = ${id} and erased_at is null`.execute(db);
}

/** Puts a proven address in the place of the old one. Throws the database's unique violation when it is taken. */
export async function updateEmail(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await sql`update users set email = ${email}, email_proven_at = now(), updated_at = now() where id = ${id}`.execute(
    db,
  );
}

/** How many hashes are remembered, the present one among them. */
const HISTORY = 5;

export async function findPasswordHashes(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('password_history')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY)
    .execute();
  return rows.map((row) => row.password_hash);
}

export async function updatePassword(
  db: Db,
  { id, passwordHash }: { id: string; passwordHash: string },
): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${id}`.execute(db);
  await sql`insert into password_history (id, user_id, password_hash) values (${newId()}, ${id}, ${passwordHash})`.execute(
    db,
  );
  await sql`
    delete from password_history where user_id = ${id} and id not in (
      select id from password_history where user_id = ${id} order by created_at desc, id desc limit ${HISTORY})`.execute(
    db,
  );
}
