import type { Notification } from '@officium/contract/notifications';
import { pagePath } from '#server/page-address.ts';
import type { NotificationRow } from './notification.repository.ts';

export function toNotification(row: NotificationRow): Notification {
  const { actorId, actorName, actorThumbnail } = row;
  return {
    id: row.id,
    event: row.event,
    actor: actorId && actorName !== null ? { id: actorId, name: actorName, thumbnail: actorThumbnail } : null,
    count: row.count,
    title: row.title || null,
    place: row.place || null,
    path: pagePath(row.page, row.anchor),
    dueAt: row.dueAt?.toISOString() ?? null,
    due: row.due,
    words: row.words || null,
    createdAt: row.updatedAt.toISOString(),
    isRead: row.isRead,
  };
}
