import { NOTIFICATION_DEFAULTS, NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import type { Preference, StoredPreference } from './preference.repository.ts';

/** A preference for every event: the chosen one, else the default. */
export function withDefaults(chosen: readonly StoredPreference[]): Preference[] {
  return NOTIFICATION_EVENTS.map((event) => {
    const found = chosen.find((preference) => preference.event === event);
    const standard = NOTIFICATION_DEFAULTS[event];
    return found ? { ...found, push: found.push ?? standard.push } : { event, ...standard };
  });
}

/** True when a user hides an event in the application. `inApp` is null for the default. */
export function isSilenced({
  event,
  inApp,
}: Pick<Preference, 'event'> & { inApp: Preference['inApp'] | null }): boolean {
  return (inApp ?? NOTIFICATION_DEFAULTS[event].inApp) === 'never';
}

export function isDefault({ event, inApp, mail, push }: Preference): boolean {
  const standard = NOTIFICATION_DEFAULTS[event];
  return standard.inApp === inApp && standard.mail === mail && standard.push === push;
}
