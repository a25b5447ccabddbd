// Raw SQL: every page of a person asks this, as a prepared statement.
import type { InAppPace, NotificationEvent } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';

/** Events with unread notifications, visible or not, and the preference for each. Cheap, and empty for most users. */
export async function findUnreadEvents(
  db: Db,
  userId: string,
): Promise<{ event: NotificationEvent; inApp: InAppPace | null }[]> {
  return await runPrepared(
    db,
    sql<{ event: NotificationEvent; inApp: InAppPace | null }>`
      select n.event, p.in_app as "inApp"
      from (select distinct user_id, event from notifications where user_id = ${userId} and read_at is null) n
      left join notification_preferences p on p.user_id = n.user_id and p.event = n.event`,
  );
}
