import type { MailPace, NotificationEvent } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** The events whose mails have a pace as long as nobody chooses another. */
export type UsualPaces = Record<NotificationEvent, MailPace>;

export type SentPace = Exclude<MailPace, 'never'>;

/** So long a mail at once waits: whoever reads meanwhile gets none. */
const PATIENCE_MINUTES = 2;
/** What is older when a worker finds it is left to the reader. */
const STALE_DAYS = { 'at-once': 1, daily: 8, weekly: 8 };

/** Rows `n` that wait to be mailed at a pace. */
function waiting(pace: SentPace, usual: UsualPaces): RawBuilder<unknown> {
  const age = pace === 'at-once' ? sql`n.created_at < now() - make_interval(mins => ${PATIENCE_MINUTES})` : sql`true`;
  return sql`n.read_at is null and n.mailed_at is null and ${age}
    and n.created_at > now() - make_interval(days => ${STALE_DAYS[pace]})
    and n.updated_at > now() - make_interval(days => ${STALE_DAYS[pace]}) -- follows from the line before, and has an index
    and ${pace} = coalesce((select p.mail from notification_preferences p where p.user_id = n.user_id and p.event = n.event),
      ${JSON.stringify(usual)}::jsonb ->> n.event)`;
}

/** The people for whom a mail at once waits. */
export async function findWaiting(db: Db, usual: UsualPaces): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct n.user_id as id from notifications n where ${waiting('at-once', usual)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** An hour of the day somewhere. */
export type LocalHour = { timeZone: string; hour: number };

export async function findTimeZones(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select 'UTC' as name union select time_zone from notification_settings`.execute(db);
  return rows.map(({ name }) => name);
}

/** The people for whom something may wait whose digest is due at these hours, with their time zone. */
export async function findDigestReaders(
  db: Db,
  { usual, hours, usualHour }: { usual: UsualPaces; hours: (LocalHour & { isMonday: boolean })[]; usualHour: number },
): Promise<{ id: string; timeZone: string }[]> {
  const { rows } = await sql<{ id: string; timeZone: string }>`
    select distinct n.user_id as id, h."timeZone"
    from notifications n left join notification_settings s on s.user_id = n.user_id
    join jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) h ("timeZone" text, hour integer, "isMonday" boolean)
      on h."timeZone" = coalesce(s.time_zone, 'UTC') and h.hour = coalesce(s.digest_hour, ${usualHour})
    where ${waiting('daily', usual)} or h."isMonday" and ${waiting('weekly', usual)}`.execute(db);
  return rows;
}

/** Takes what waits for a person at these paces; nobody else gets it any more. */
export async function takeWaiting(db: Db, userId: string, paces: SentPace[], usual: UsualPaces): Promise<string[]> {
  const isWaiting = sql.join(
    paces.map((pace) => sql`(${waiting(pace, usual)})`),
    sql` or `,
  );
  const { rows } = await sql<{ id: string }>`
    update notifications n set mailed_at = now()
    where n.user_id = ${userId} and (${isWaiting})
    returning n.id`.execute(db);
  return rows.map(({ id }) => id);
}
