import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

/** A seat that is erased goes to the waiting list, by a trigger. */
export const eventRegistrations = definePersonalTable({
  table: 'event_registrations',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    session_id: leftOut('`event` and `startsAt` name it'),
    user_id: leftOut('the person'),
    status: 'status',
    created_at: 'createdAt',
    promoted_at: 'promotedAt',
    promotion_told_at: leftOut('marks a notification as sent'),
    attended_at: 'attendedAt',
    reminded_of: leftOut('marks a reminder as sent'),
  },
  also: () => ({
    event: sql`(select e.slug from event_sessions s join editorials e on e.id = s.event_id where s.id = t.session_id)`,
    startsAt: sql`(select s.starts_at from event_sessions s where s.id = t.session_id)`,
  }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const eventFeeds = definePersonalTable({
  table: 'event_feeds',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    token_hash: leftOut('a secret'),
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
