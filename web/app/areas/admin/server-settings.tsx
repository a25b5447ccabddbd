import type { ReplyOf } from '@officium/contract/endpoint';
import type { readServerSettings, ShownSetting } from '@officium/contract/site-setup';
import { useText } from '../../text.tsx';

export type ServerSettings = ReplyOf<typeof readServerSettings>['settings'];

/** Settings of the environment, by their names. */
export function ServerSettings({ settings, names }: { settings: ServerSettings; names: readonly ShownSetting[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="server-settings">
      <h2 id="server-settings" className="font-sans text-base font-semibold">
        {t('admin.setup_server')}
      </h2>
      <p className="text-sm text-muted">{t('admin.setup_server_text')}</p>
      <dl className="mt-2 divide-y divide-line border-y border-line">
        {settings
          .filter(({ name }) => names.includes(name))
          .map(({ name, isSet, value }) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-6 py-2">
              <dt>
                <code dir="ltr">{name}</code>
              </dt>
              <dd className="wrap-anywhere">
                {value === null ? (
                  t('admin.setup_server_unset')
                ) : (
                  <>
                    <bdi dir="ltr">{value}</bdi>{' '}
                    <span className="text-sm text-muted">
                      ({t(isSet ? 'admin.setup_server_set' : 'admin.setup_server_default')})
                    </span>
                  </>
                )}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
