import { sql, type Selectable, type Updateable } from 'kysely';
import type { Role } from '#server/access/viewer.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { Users } from '#server/db/schema.ts';

/** A user with a proven address. */
export type Proven = { userId: string; email: string };

export type UserRow = Selectable<Users>;
/** Columns that callers may change. The address, role and credentials have functions of their own. */
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

/** Ids of accounts that are not erased, in order, starting after `after`. */
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

/** Locks the row against other changes until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Undefined when the address already has an account. Waits for a concurrent insert. */
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
  await db
    .updateTable('users')
    .set({ role, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .execute();
}

/** The administrators other than this user. */
export async function findOtherAdministrators(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('erased_at', 'is', null)
    .where('id', '<>', id)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * True if another administrator can sign in. Callers serialise on an advisory lock, so that two administrators who
 * leave at the same time cannot both succeed.
 */
export async function hasOtherAdministrator(db: Db, id: string): Promise<boolean> {
  await lockName(db, 'administrators');
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('erased_at', 'is', null)
    .where('email_proven_at', 'is not', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Marks the address as proven and makes the user a public servant if a rule approves them. */
export async function updateProven(db: Db, { id, ruleId }: { id: string; ruleId: string | null }): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => {
      const isApplicant = eb('role', '=', 'non-public-servant');
      return {
        email_proven_at: eb.fn.coalesce('email_proven_at', sql<Date>`now()`),
        updated_at: sql<Date>`now()`,
        approved_by_rule: eb
          .case()
          .when(isApplicant)
          .then(sql<string | null>`${ruleId}::uuid`)
          .else(eb.ref('approved_by_rule'))
          .end(),
        ...(ruleId !== null && {
          role: eb.case().when(isApplicant).then('public-servant').else(eb.ref('role')).end(),
          registration_status: eb
            .case()
            .when('registration_status', '=', 'pending')
            .then('approved')
            .else(eb.ref('registration_status'))
            .end(),
        }),
      };
    })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .execute();
}

/** Replaces the address with a proven one. Throws the database's unique violation when it is taken. */
export async function updateEmail(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await db
    .updateTable('users')
    .set({ email, email_proven_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Number of stored hashes, including the current one. */
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
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await db.insertInto('password_history').values({ id: newId(), user_id: id, password_hash: passwordHash }).execute();
  const newest = db
    .selectFrom('password_history')
    .select('id')
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY);
  await db.deleteFrom('password_history').where('user_id', '=', id).where('id', 'not in', newest).execute();
}
