import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const notifications = definePersonalTable({
  table: 'notifications',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    event: 'kind',
    object_id: 'object',
    activity_id: 'activityId',
    since_id: leftOut('counts what others did'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    read_at: 'readAt',
    mailed_at: 'sentAt',
    pushed_at: leftOut('the notification is exported'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const notificationPreferences = definePersonalTable({
  table: 'notification_preferences',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: { user_id: leftOut('the person'), event: 'kind', in_app: 'inApp', mail: 'byMail', push: 'onDevices' },
  order: 'event',
  erase: { rows: 'deleted' },
});

export const notificationSettings = definePersonalTable({
  table: 'notification_settings',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    digest_hour: 'digestHour',
    time_zone: 'timeZone',
    secret: leftOut('a secret'),
  },
  order: 'user_id',
  erase: { rows: 'deleted' },
});

export const notificationClaims = definePersonalTable({
  table: 'notification_claims',
  part: 'account',
  isAbout: ({ id }) => sql`t.name like ${`digest ${id} %`} or t.name like ${`course ${id} %`}`,
  columns: {
    name: leftOut('marks a notification as sent; the notification is exported'),
    created_at: leftOut('the same'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const follows = definePersonalTable({
  table: 'follows',
  part: 'account',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    community_id: leftOut('`community` names it'),
    activity_id: 'activityId',
    person_id: 'personId',
    topic: 'topics',
    level: 'level',
    since: 'createdAt',
  },
  also: () => ({ community: sql`(select slug from communities where id = t.community_id)` }),
  order: 'since',
  erase: {
    rows: 'deleted',
    // Also what others chose about the person, whose nameless row stays.
    async run(db, { id }) {
      await db
        .deleteFrom('follows')
        .where((eb) => eb.or([eb('user_id', '=', id), eb('person_id', '=', id)]))
        .execute();
    },
  },
});

export const pushDevices = definePersonalTable({
  table: 'push_devices',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    session_id: leftOut('the id of a session, by which its owner may end it'),
    endpoint: leftOut('a secret address at the push service of the browser'),
    public_key: leftOut('a key of the browser'),
    auth_secret: leftOut('a secret'),
    user_agent: 'browser',
    created_at: 'createdAt',
    seen_at: 'lastSeenAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
