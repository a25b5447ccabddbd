import {
  DEFAULT_DIGEST_HOUR,
  IN_APP_PACES,
  MAIL_PACES,
  NOTIFICATION_EVENTS,
  PUSH_PACES,
  readNotificationPreferences,
  updateNotificationPreferences,
} from '@officium/contract/notifications';
import { addPushDevice, readPush, removePushDevice } from '@officium/contract/push';
import { act, loadSignedIn, timeZoneOf } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Part } from '../../ui/part.tsx';
import type { Route } from './+types/notifications.page';
import { Matrix } from './matrix.tsx';
import { PushPart } from './push-part.tsx';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/notifications';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadSignedIn(request, context);
  const [preferences, push] = await Promise.all([api(readNotificationPreferences), api(readPush)]);
  const here = timeZoneOf(context);
  // Server and browser may know different zones: both render the server's list.
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), preferences.timeZone, here]);
  return { preferences, push, paces: MAIL_PACES, here, zones: [...zones].toSorted() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const intent = textOf(fields, 'intent');
  if (intent === 'push-on') {
    const added = await attempt(addPushDevice, { body: subscriptionOf(textOf(fields, 'subscription')) });
    return added.ok ? redirectWith(HERE, { key: 'account.push_added' }) : added.refusal;
  }
  if (intent.startsWith('push-end-')) {
    const removed = await attempt(removePushDevice, { params: { id: textOf(fields, 'id') } });
    return removed.ok ? redirectWith(HERE, { key: 'account.push_ended' }) : removed.refusal;
  }
  const saved = await attempt(updateNotificationPreferences, {
    body: {
      events: NOTIFICATION_EVENTS.map((event) => ({
        event,
        inApp: IN_APP_PACES.find((pace) => pace === fields.get(`inApp-${event}`)) ?? 'never',
        mail: MAIL_PACES.find((pace) => pace === fields.get(`mail-${event}`)),
        push: PUSH_PACES.find((pace) => pace === fields.get(`push-${event}`)) ?? 'never',
      })),
      digestHour: hourOf(textOf(fields, 'digestHour')),
      timeZone: textOf(fields, 'timeZone'),
    },
  });
  return saved.ok ? redirectWith(HERE, { key: 'common.saved' }) : saved.refusal;
}

/** The subscription that a browser made; the API refuses anything else. */
function subscriptionOf(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch {
    return {} as never;
  }
}

function hourOf(text: string): number {
  const hour = Number(text || DEFAULT_DIGEST_HOUR);
  return Number.isInteger(hour) ? hour : DEFAULT_DIGEST_HOUR;
}

export default function Notifications({ loaderData }: Route.ComponentProps) {
  const { preferences, push, paces, here, zones } = loaderData;
  const { t, date } = useText();
  const { isSubmitting } = useSubmitting();
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: date(Date.UTC(2026, 0, 1, hour), { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }),
  }));
  return (
    <Settings title={t('notification.title')} intro={t('account.notifications_text')}>
      <SmartForm className="mt-6">
        <Matrix events={preferences.events} paces={paces} />
        <Part id="digest" title={t('account.digest')} intro={t('account.digest_text')}>
          <div className="grid gap-5 sm:grid-cols-2">
            <Select
              name="digestHour"
              label={t('account.digest_hour')}
              options={hours}
              defaultValue={String(preferences.digestHour)}
              required
            />
            <Select
              name="timeZone"
              label={t('account.time_zone')}
              options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
              defaultValue={preferences.timeZone}
              required
            />
          </div>
          {here === preferences.timeZone ? null : (
            <p className="mt-2 text-sm text-muted">
              {t('account.time_zone_here', { zone: here.replaceAll('_', ' ') })}
            </p>
          )}
        </Part>
        <Button className="mt-8" isBusy={isSubmitting}>
          {t('common.save')}
        </Button>
      </SmartForm>
      <PushPart push={push} />
    </Settings>
  );
}
