// Raw SQL: the condition of a pending mail, which three statements share, and lists passed as JSON.
import type { MailPace, NotificationEvent } from '@officium/contract/notifications';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** The default mail pace of each event. */
export type DefaultPaces = Record<NotificationEvent, MailPace>;

export type SentPace = Exclude<MailPace, 'never'>;

/** Delay of an immediate mail. A notification read meanwhile is not mailed. */
const DELAY_MINUTES = 2;
/** Older notifications are never mailed. */
const STALE_DAYS = { 'at-once': 1, daily: 8, weekly: 8 };

/** The condition for rows `n` with a pending mail of this pace. */
function isPending(pace: SentPace, defaults: DefaultPaces): RawBuilder<unknown> {
  const age = pace === 'at-once' ? sql`n.created_at < now() - make_interval(mins => ${DELAY_MINUTES})` : sql`true`;
  return sql`n.read_at is null and n.mailed_at is null and ${age}
    and n.created_at > now() - make_interval(days => ${STALE_DAYS[pace]})
    and n.updated_at > now() - make_interval(days => ${STALE_DAYS[pace]}) -- implied by the line before; matches an index
    and ${pace} = coalesce((select p.mail from notification_preferences p where p.user_id = n.user_id and p.event = n.event),
      ${JSON.stringify(defaults)}::jsonb ->> n.event)`;
}

/** Users with a pending immediate mail. */
export async function findMailRecipients(db: Db, defaults: DefaultPaces): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications as n')
    .select('n.user_id as id')
    .distinct()
    .where(sql<SqlBool>`${isPending('at-once', defaults)}`)
    .execute();
  return rows.map(({ id }) => id);
}

/** An hour of the day in a time zone. */
export type LocalHour = { timeZone: string; hour: number };

export async function findTimeZones(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('notification_settings').select('time_zone').distinct().execute();
  return [...new Set(['UTC', ...rows.map((row) => row.time_zone)])];
}

/** Users with a pending digest that is due at these local hours, and their time zones. */
export async function findDigestRecipients(
  db: Db,
  {
    defaults,
    hours,
    defaultHour,
  }: { defaults: DefaultPaces; hours: (LocalHour & { isMonday: boolean })[]; defaultHour: number },
): Promise<{ id: string; timeZone: string }[]> {
  const due = sql<LocalHour & { isMonday: boolean }>`jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)`;
  return await db
    .selectFrom('notifications as n')
    .leftJoin('notification_settings as s', 's.user_id', 'n.user_id')
    .innerJoin(due.as<'h'>(sql`h ("timeZone" text, hour integer, "isMonday" boolean)`), (join) =>
      join
        .on((eb) => eb('h.timeZone', '=', eb.fn.coalesce('s.time_zone', sql<string>`'UTC'`)))
        .on((eb) => eb('h.hour', '=', eb.fn.coalesce('s.digest_hour', sql<number>`${defaultHour}`))),
    )
    .select(['n.user_id as id', 'h.timeZone'])
    .distinct()
    .where(({ and, or, ref }) =>
      or([
        sql<boolean>`(${isPending('daily', defaults)})`,
        and([ref('h.isMonday'), sql<boolean>`(${isPending('weekly', defaults)})`]),
      ]),
    )
    .execute();
}

/** Claims a user's pending notifications of these paces for mailing. No other worker gets them. */
export async function claimPending(
  db: Db,
  userId: string,
  paces: SentPace[],
  defaults: DefaultPaces,
): Promise<string[]> {
  const rows = await db
    .updateTable('notifications as n')
    .set({ mailed_at: sql<Date>`now()` })
    .where('n.user_id', '=', userId)
    .where((eb) => eb.or(paces.map((pace) => sql<SqlBool>`(${isPending(pace, defaults)})`)))
    .returning('n.id')
    .execute();
  return rows.map(({ id }) => id);
}
