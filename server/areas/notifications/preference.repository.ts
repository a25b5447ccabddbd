import type { InAppPace, MailPace, NotificationEvent, PushPace } from '@officium/contract/notifications';
import { lockName } from '#server/db/advisory-lock.ts';
import { type Db, runPrepared } from '#server/db/client.ts';

export type Preference = { event: NotificationEvent; inApp: InAppPace; mail: MailPace; push: PushPace };
/** A stored preference; one from before devices has no `push`. */
export type StoredPreference = Omit<Preference, 'push'> & { push: PushPace | null };
export type Settings = { digestHour: number; timeZone: string };

/** The preferences of a user that differ from the defaults. */
export async function findPreferences(db: Db, userId: string): Promise<StoredPreference[]> {
  return await runPrepared(
    db,
    db
      .selectFrom('notification_preferences')
      .select(['event', 'in_app as inApp', 'mail', 'push'])
      .where('user_id', '=', userId)
      .$narrowType<StoredPreference>(),
  );
}

/** Serialises changes of a user's preferences, so that no concurrent change is lost. */
export async function lockPreferences(db: Db, userId: string): Promise<void> {
  await lockName(db, `notification preferences ${userId}`);
}

export async function putPreferences(db: Db, userId: string, preferences: Preference[]): Promise<void> {
  if (preferences.length === 0) return;
  await db
    .insertInto('notification_preferences')
    .values(preferences.map(({ event, inApp, mail, push }) => ({ user_id: userId, event, in_app: inApp, mail, push })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'event']).doUpdateSet((eb) => ({
        in_app: eb.ref('excluded.in_app'),
        mail: eb.ref('excluded.mail'),
        push: eb.ref('excluded.push'),
      })),
    )
    .execute();
}

export async function deletePreferences(db: Db, userId: string, events: string[]): Promise<void> {
  await db
    .deleteFrom('notification_preferences')
    .where('user_id', '=', userId)
    .where('event', '=', (eb) => eb.fn.any(eb.val(events)))
    .execute();
}

export async function getSettings(db: Db, userId: string): Promise<Settings | undefined> {
  return await db
    .selectFrom('notification_settings')
    .select(['digest_hour as digestHour', 'time_zone as timeZone'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** An existing secret stays. */
export async function putSettings(
  db: Db,
  userId: string,
  { digestHour, timeZone, secret }: Settings & { secret: Buffer },
): Promise<void> {
  await db
    .insertInto('notification_settings')
    .values({ user_id: userId, digest_hour: digestHour, time_zone: timeZone, secret })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        digest_hour: eb.ref('excluded.digest_hour'),
        time_zone: eb.ref('excluded.time_zone'),
      })),
    )
    .execute();
}

/** The secret that signs a user's unsubscribe links. Stores `fresh` when there is none. */
export async function ensureSecret(db: Db, userId: string, fresh: Buffer): Promise<Buffer> {
  await db
    .insertInto('notification_settings')
    .values({ user_id: userId, secret: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const secret = await getSecret(db, userId);
  return secret!; // inserted above
}

export async function getSecret(db: Db, userId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('notification_settings')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.secret;
}
