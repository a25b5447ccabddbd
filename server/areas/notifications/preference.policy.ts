import { NOTIFICATION_DEFAULTS, NOTIFICATION_EVENTS } from '@officium/contract/notifications';
import type { Preference } from './preference.repository.ts';

/** Every event, with what somebody chose or what is usual. */
export function withDefaults(chosen: Preference[]): Preference[] {
  return NOTIFICATION_EVENTS.map(
    (event) => chosen.find((one) => one.event === event) ?? { event, ...NOTIFICATION_DEFAULTS[event] },
  );
}

/** Whether a person does not want to see an event in the application; `inApp` is null where they chose nothing. */
export function isSilenced({
  event,
  inApp,
}: Pick<Preference, 'event'> & { inApp: Preference['inApp'] | null }): boolean {
  return (inApp ?? NOTIFICATION_DEFAULTS[event].inApp) === 'never';
}

export function isDefault({ event, inApp, mail }: Preference): boolean {
  const usual = NOTIFICATION_DEFAULTS[event];
  return usual.inApp === inApp && usual.mail === mail;
}
