// Raw SQL: the condition of a pending notification, with the default paces as JSON.
import type { NotificationEvent, PushPace } from '@officium/contract/notifications';
import { MAX_PUSH_DEVICES } from '@officium/contract/push';
import { sql } from 'kysely';
import { type Db, newId, NOW } from '#server/db/client.ts';

export type PushKeysRow = { publicKey: string; sealedPrivateKey: Buffer };

export async function getPushKeys(db: Db): Promise<PushKeysRow | undefined> {
  return await db
    .selectFrom('push_keys')
    .select(['public_key as publicKey', 'sealed_private_key as sealedPrivateKey'])
    .executeTakeFirst();
}

/** Stores the keys unless there are some, or replaces those with `former` as the public half. Concurrent calls keep one. */
export async function putPushKeys(db: Db, keys: PushKeysRow, former?: string): Promise<void> {
  const values = { public_key: keys.publicKey, sealed_private_key: keys.sealedPrivateKey };
  if (former === undefined)
    await db
      .insertInto('push_keys')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await db
      .updateTable('push_keys')
      .set({ ...values, created_at: NOW })
      .where('public_key', '=', former)
      .execute();
}

/** Ends all devices: push services refuse messages that another key signed. */
export async function deleteAllDevices(db: Db): Promise<void> {
  await db.deleteFrom('push_devices').execute();
}

export type DeviceRow = { id: string; endpoint: string; userAgent: string | null; createdAt: Date };

export async function findDevices(db: Db, userId: string): Promise<DeviceRow[]> {
  return await db
    .selectFrom('push_devices')
    .select(['id', 'endpoint', 'user_agent as userAgent', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_PUSH_DEVICES)
    .execute();
}

export type NewDevice = {
  userId: string;
  sessionId: string;
  endpoint: string;
  publicKey: Buffer;
  authSecret: Buffer;
};

/** Adds a device, or takes over the one with its address, with the browser of the session. Returns its id. */
export async function putDevice(db: Db, device: NewDevice): Promise<string> {
  const { id } = await db
    .insertInto('push_devices')
    .values({
      id: newId(),
      user_id: device.userId,
      session_id: device.sessionId,
      endpoint: device.endpoint,
      public_key: device.publicKey,
      auth_secret: device.authSecret,
      user_agent: sql<string>`(select user_agent from sessions where id = ${device.sessionId})`,
    })
    .onConflict((conflict) =>
      conflict.column('endpoint').doUpdateSet((eb) => ({
        user_id: eb.ref('excluded.user_id'),
        session_id: eb.ref('excluded.session_id'),
        public_key: eb.ref('excluded.public_key'),
        auth_secret: eb.ref('excluded.auth_secret'),
        user_agent: eb.ref('excluded.user_agent'),
        // Nobody is shown what happened before the device was theirs.
        created_at: sql<Date>`case when push_devices.user_id = excluded.user_id then push_devices.created_at else now() end`,
        seen_at: NOW,
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes a person's devices beyond the limit, the least recently used first. */
export async function deleteExcessDevices(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('push_devices')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('push_devices')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_PUSH_DEVICES),
    )
    .execute();
}

/** Returns false when the person has no such device. */
export async function deleteDevice(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_devices')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export type TargetDevice = { id: string; userId: string; endpoint: string; publicKey: Buffer; authSecret: Buffer };

export async function getReceiver(db: Db, id: string): Promise<TargetDevice | undefined> {
  return await db
    .selectFrom('push_devices')
    .select(['id', 'user_id as userId', 'endpoint', 'public_key as publicKey', 'auth_secret as authSecret'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Deletes a device unless it subscribed anew meanwhile. */
export async function deleteReceiver(db: Db, { id, endpoint }: TargetDevice): Promise<void> {
  await db.deleteFrom('push_devices').where('id', '=', id).where('endpoint', '=', endpoint).execute();
}

/** Notes, at most daily, that a device was reached. */
export async function noteReached(db: Db, id: string): Promise<void> {
  await db
    .updateTable('push_devices')
    .set({ seen_at: NOW })
    .where('id', '=', id)
    .where('seen_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

/** Older notifications are not shown on devices. */
const STALE_HOURS = 4;
const MOST_AT_ONCE = 2_000;

/**
 * Claims unread notifications that devices show, and returns each with each device of its person. No other worker gets
 * them. A notification is claimed once, even if more events update it while it is unread.
 */
export async function claimForDevices(
  db: Db,
  defaults: Record<NotificationEvent, PushPace>,
): Promise<{ notificationId: string; deviceId: string }[]> {
  const { rows } = await sql<{ notificationId: string; deviceId: string }>`
    with due as (
      select n.id from notifications n
      where n.read_at is null and n.pushed_at is null
        and n.updated_at > now() - make_interval(hours => ${STALE_HOURS}) -- implied by the next line; matches an index
        and n.created_at > now() - make_interval(hours => ${STALE_HOURS})
        and exists (select from push_devices d where d.user_id = n.user_id and d.created_at < n.created_at)
        and 'at-once' = coalesce(
          (select p.push from notification_preferences p where p.user_id = n.user_id and p.event = n.event),
          ${JSON.stringify(defaults)}::jsonb ->> n.event)
      order by n.updated_at limit ${MOST_AT_ONCE} for update skip locked),
    claimed as (
      update notifications n set pushed_at = now() from due where n.id = due.id
      returning n.id, n.user_id, n.created_at)
    select claimed.id as "notificationId", d.id as "deviceId"
    from claimed join push_devices d on d.user_id = claimed.user_id and d.created_at < claimed.created_at`.execute(db);
  return rows;
}
