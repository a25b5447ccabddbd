import { randomBytes } from 'node:crypto';
import {
  DEFAULT_DIGEST_HOUR,
  type NotificationEvent,
  type updateNotificationPreferences,
} from '@officium/contract/notifications';
import type { InputOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { isDefault, isSilenced, withDefaults } from './preference.policy.ts';
import * as repository from './preference.repository.ts';
import type { Preference, Settings } from './preference.repository.ts';

export type Preferences = Settings & { events: Preference[] };

async function settingsOf(db: Db, userId: string): Promise<Settings> {
  return (await repository.getSettings(db, userId)) ?? { digestHour: DEFAULT_DIGEST_HOUR, timeZone: 'UTC' };
}

async function preferencesOf(db: Db, userId: string): Promise<Preferences> {
  return {
    events: withDefaults(await repository.findPreferences(db, userId)),
    ...(await settingsOf(db, userId)),
  };
}

/** Events that a user hides in the application. */
export async function silencedEvents(db: Db, userId: string): Promise<NotificationEvent[]> {
  const chosen = withDefaults(await repository.findPreferences(db, userId));
  return chosen.filter(isSilenced).map(({ event }) => event);
}

export async function readPreferences(ctx: Ctx, viewer: UserViewer): Promise<Preferences> {
  return await preferencesOf(ctx.db, viewer.id);
}

/** Applies `change` to each preference and stores those that differ from the default. `db` is a transaction. */
export async function changePreferences(
  db: Db,
  userId: string,
  change: (preference: Preference) => Preference,
): Promise<void> {
  await repository.lockPreferences(db, userId);
  const changed = withDefaults(await repository.findPreferences(db, userId)).map(change);
  const defaults = changed.filter(isDefault);
  await repository.deletePreferences(
    db,
    userId,
    defaults.map(({ event }) => event),
  );
  await repository.putPreferences(
    db,
    userId,
    changed.filter((preference) => !defaults.includes(preference)),
  );
}

export async function updatePreferencesOf(
  ctx: Ctx,
  viewer: UserViewer,
  { events = [], digestHour, timeZone }: InputOf<typeof updateNotificationPreferences>['body'],
): Promise<Preferences> {
  const preferences = await inTransaction(ctx.db, async (trx) => {
    await changePreferences(trx, viewer.id, (preference) => {
      const given = events.findLast(({ event }) => event === preference.event);
      return {
        event: preference.event,
        inApp: given?.inApp ?? preference.inApp,
        mail: given?.mail ?? preference.mail,
        push: given?.push ?? preference.push,
      };
    });
    if (digestHour !== undefined || timeZone !== undefined) {
      const former = await settingsOf(trx, viewer.id);
      await repository.putSettings(trx, viewer.id, {
        digestHour: digestHour ?? former.digestHour,
        timeZone: timeZone ?? former.timeZone,
        secret: randomBytes(32),
      });
    }
    return await preferencesOf(trx, viewer.id);
  });
  ctx.news.tell(viewer.id);
  return preferences;
}
