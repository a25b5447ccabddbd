import type { ReplyOf } from '@officium/contract/endpoint';
import type { MailPace, readNotificationPreferences } from '@officium/contract/notifications';
import { useText } from '../../text.tsx';

type Preference = ReplyOf<typeof readNotificationPreferences>['events'][number];

/**
 * Notification settings: a row per event, a column per channel. On small screens rows become blocks; the roles keep the
 * table semantics for screen readers.
 */
export function Matrix({ events, paces }: { events: readonly Preference[]; paces: readonly MailPace[] }) {
  const { t } = useText();
  return (
    <table role="table" className="w-full max-sm:block">
      <caption className="sr-only">{t('account.matrix')}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-b border-edge text-sm text-muted">
          <th role="columnheader" scope="col" className="py-2 text-start font-semibold">
            {t('account.about')}
          </th>
          <th role="columnheader" scope="col" className="px-2 py-2 text-center font-semibold">
            {t('account.in_app')}
          </th>
          <th role="columnheader" scope="col" className="px-2 py-2 text-center font-semibold">
            {t('account.by_push')}
          </th>
          <th role="columnheader" scope="col" className="py-2 text-start font-semibold">
            {t('account.by_mail')}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:block">
        {events.map((preference) => (
          <Row key={preference.event} preference={preference} paces={paces} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  preference: { event, inApp, mail, push },
  paces,
}: {
  preference: Preference;
  paces: readonly MailPace[];
}) {
  const { t } = useText();
  const name = t(`account.event.${event}`);
  return (
    <tr role="row" className="border-b border-line last:border-b-0 max-sm:block max-sm:py-4">
      <th role="rowheader" scope="row" className="py-2 text-start font-normal max-sm:block max-sm:font-semibold">
        {name}
      </th>
      <Choice event={name} name={`inApp-${event}`} label={t('account.in_app')} isOn={inApp === 'at-once'} />
      <Choice event={name} name={`push-${event}`} label={t('account.by_push')} isOn={push === 'at-once'} />
      <td role="cell" className="py-2 max-sm:block max-sm:py-0">
        <label className="block max-sm:flex max-sm:items-center max-sm:gap-3 sm:min-w-52">
          <span className="shrink-0 sm:sr-only">
            <span className="sr-only">{name}: </span>
            {t('account.by_mail')}
          </span>
          <select name={`mail-${event}`} defaultValue={mail} className="input">
            {paces.map((pace) => (
              <option key={pace} value={pace}>
                {t(`account.pace.${pace}`)}
              </option>
            ))}
          </select>
        </label>
      </td>
    </tr>
  );
}

/** The checkbox of a channel; on wide screens the column names it. */
function Choice({ event, name, label, isOn }: { event: string; name: string; label: string; isOn: boolean }) {
  return (
    <td role="cell" className="px-2 py-2 text-center max-sm:block max-sm:px-0 max-sm:py-0 max-sm:text-start">
      <label className="inline-flex min-h-11 min-w-11 items-center justify-center gap-3">
        <input type="checkbox" name={name} value="at-once" defaultChecked={isOn} className="choice" />
        <span className="sm:sr-only">
          <span className="sr-only">{event}: </span>
          {label}
        </span>
      </label>
    </td>
  );
}
