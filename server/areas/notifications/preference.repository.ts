import type { InAppPace, MailPace, NotificationEvent } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';

export type Preference = { event: NotificationEvent; inApp: InAppPace; mail: MailPace };
export type Settings = { digestHour: number; timeZone: string };

/** Where a person differs from the defaults. */
export async function findPreferences(db: Db, userId: string): Promise<Preference[]> {
  return await runPrepared(
    db,
    sql<Preference>`select event, in_app as "inApp", mail from notification_preferences where user_id = ${userId}`,
  );
}

/** One preference after another of a person is changed, so that none is lost. */
export async function lockPreferences(db: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`notification preferences ${userId}`}, 0))`.execute(db);
}

export async function putPreferences(db: Db, userId: string, preferences: Preference[]): Promise<void> {
  if (preferences.length === 0) return;
  await sql`
    insert into notification_preferences (user_id, event, in_app, mail)
    select ${userId}, p.event, p."inApp", p.mail
    from jsonb_to_recordset(${JSON.stringify(preferences)}::jsonb) p (event text, "inApp" text, mail text)
    on conflict (user_id, event) do update set in_app = excluded.in_app, mail = excluded.mail`.execute(db);
}

export async function deletePreferences(db: Db, userId: string, events: string[]): Promise<void> {
  await sql`
    delete from notification_preferences where user_id = ${userId} and event = any(${events}::text[])`.execute(db);
}

export async function getSettings(db: Db, userId: string): Promise<Settings | undefined> {
  const { rows } = await sql<Settings>`
    select digest_hour as "digestHour", time_zone as "timeZone" from notification_settings where user_id = ${userId}`.execute(
    db,
  );
  return rows[0];
}

/** `secret` counts only for somebody who has none. */
export async function putSettings(
  db: Db,
  userId: string,
  { digestHour, timeZone, secret }: Settings & { secret: Buffer },
): Promise<void> {
  await sql`
    insert into notification_settings (user_id, digest_hour, time_zone, secret)
    values (${userId}, ${digestHour}, ${timeZone}, ${secret})
    on conflict (user_id) do update set digest_hour = excluded.digest_hour, time_zone = excluded.time_zone`.execute(db);
}

/** What signs a person's links. `fresh` becomes it for somebody who has none. */
export async function ensureSecret(db: Db, userId: string, fresh: Buffer): Promise<Buffer> {
  await sql`
    insert into notification_settings (user_id, secret) values (${userId}, ${fresh}) on conflict do nothing`.execute(
    db,
  );
  const secret = await getSecret(db, userId);
  return secret!; // there since the statement before
}

export async function getSecret(db: Db, userId: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from notification_settings where user_id = ${userId}`.execute(db);
  return rows[0]?.secret;
}
