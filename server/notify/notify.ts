import type { NotificationEvent } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** A notification of one person. `objectId`: what it is about; `activityId`: the post that contains the object. */
export type Notice = { userId: string; event: NotificationEvent; objectId: string; activityId?: string | null };

/** The condition that a row is new. Nobody is notified of older rows, which an import or the demo writes. */
export const isNews = (createdAt: string) => `is_news(${createdAt})`;

/**
 * The statement that stores notifications, for a statement that writes an event and notifies of it (`with … as`).
 * `notices` is a relation with the columns user_id, event, object_id, activity_id and since_id, each notification once.
 * Inactive and erased accounts get none. More events during an unread notification only update its time.
 */
export function insertNotices(notices: RawBuilder<unknown>): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`
    insert into notifications (id, user_id, event, object_id, activity_id, since_id)
    select new_id(), u.id, notice.event, notice.object_id, notice.activity_id, notice.since_id
    from ${notices} notice join users u on u.id = notice.user_id
    where u.erased_at is null and u.role <> 'inactive'
    -- One order for all, so that concurrent events with the same recipients do not deadlock.
    order by u.id
    on conflict (user_id, event, object_id) where read_at is null do update set updated_at = now()
    where notifications.updated_at < now() - interval '1 minute'`;
}

/** Notifies people in the transaction of the event. */
export async function notify(db: Db, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const of = <Key extends keyof Notice>(key: Key) => notices.map((notice) => notice[key] ?? null);
  await insertNotices(sql`(
    select *, null::uuid as since_id
    from unnest(${of('userId')}::uuid[], ${of('event')}::text[], ${of('objectId')}::uuid[], ${of('activityId')}::uuid[])
      n (user_id, event, object_id, activity_id))`).execute(db);
}
