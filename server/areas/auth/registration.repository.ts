// Raw SQL: the shared statement that stores notifications selects from a fragment.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { insertNotices } from '#server/notify/notify.ts';
import { isWaiting } from './registration.sql.ts';

/**
 * Notifies all administrators if the registration of a user waits who proved their address in this transaction, whose
 * time `now()` is. The notification is about the administrator, so that each has one however many registrations wait.
 */
export async function notifyOfWaiting(db: Db, userId: string): Promise<void> {
  await insertNotices(sql`(
    select a.id as user_id, 'registration_waiting' as event, a.id as object_id, null::uuid as activity_id,
      null::uuid as since_id
    from users a
    where a.role = 'administrator' and exists (
      select from users u where u.id = ${userId} and u.email_proven_at = now() and ${sql.raw(isWaiting('u'))}))`).execute(
    db,
  );
}
