import { NOTIFICATION_DEFAULTS, NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import type { Preference } from './preference.repository.ts';

/** A preference for every event: the chosen one, else the default. */
export function withDefaults(chosen: Preference[]): Preference[] {
  return NOTIFICATION_EVENTS.map(
    (event) => chosen.find((preference) => preference.event === event) ?? { event, ...NOTIFICATION_DEFAULTS[event] },
  );
}

/** True when a user hides an event in the application. `inApp` is null for the default. */
export function isSilenced({
  event,
  inApp,
}: Pick<Preference, 'event'> & { inApp: Preference['inApp'] | null }): boolean {
  return (inApp ?? NOTIFICATION_DEFAULTS[event].inApp) === 'never';
}

export function isDefault({ event, inApp, mail }: Preference): boolean {
  const standard = NOTIFICATION_DEFAULTS[event];
  return standard.inApp === inApp && standard.mail === mail;
}
