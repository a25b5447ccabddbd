import type { SiteIdentity } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import { endonymOf, isLocale } from '@officium/i18n/locales';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { changesBetween } from './site-changes.ts';

type Version = SiteSettings['history'][number];

const LABELS = {
  name: 'admin.site_name',
  note: 'admin.site_note',
  headline: 'admin.site_headline',
  lead: 'admin.site_lead',
  accent: 'admin.site_accent',
  certificate: 'admin.site_certificate',
  links: 'admin.site_links',
  logo: 'admin.site_logo',
  logoDark: 'admin.site_logo_dark',
  contact: 'admin.site_contact',
  languages: 'admin.setup_languages_offered',
  defaultLanguage: 'admin.setup_languages_default',
} as const satisfies Record<keyof SiteIdentity, MessageKey>;

/** Every version with its author and what it changed; earlier ones can be used again. */
export function History({ settings: { version, history } }: { settings: SiteSettings }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('restore');
  if (history.length === 0) return null;
  return (
    <details className="mt-12 max-w-2xl border-t border-line pt-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{t('admin.site_history')}</summary>
      <ol className="mt-2">
        {history.map((one, at) => (
          <li key={one.version} className="border-b border-line py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span>
                {rich('admin.site_version', {
                  version: one.version,
                  date: <Time key="date" value={one.changedAt} look="exact" />,
                })}
                {one.identity.name ? (
                  <>
                    {' · '}
                    <bdi>{one.identity.name}</bdi>
                  </>
                ) : null}
                {one.actorName === null ? null : (
                  <> · {rich('admin.site_version_by', { name: <bdi key="name">{one.actorName}</bdi> })}</>
                )}
              </span>
              {one.version === version ? null : (
                <SmartForm intent="restore">
                  <input type="hidden" name="version" value={version} />
                  <input type="hidden" name="restore" value={one.version} />
                  <Button look="quiet" isBusy={isSubmitting}>
                    {t('admin.site_restore')}
                  </Button>
                </SmartForm>
              )}
            </div>
            <Changes from={history[at + 1]} to={one} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The changes of a version. The oldest listed one is compared with nothing only if it is the first of all. */
function Changes({ from, to }: { from: Version | undefined; to: Version }) {
  const { t } = useText();
  if (!from && to.version !== 1) return null;
  const changes = changesBetween(from?.identity, to.identity);
  return (
    <dl className="mt-1 grid gap-1 text-sm">
      {changes.map(({ field, locale, before, after }) => (
        <div key={`${field} ${locale ?? ''}`}>
          <dt className="inline text-muted">
            {t(LABELS[field])}
            {locale && isLocale(locale) ? ` (${endonymOf(locale)})` : ''}:{' '}
          </dt>
          <dd className="inline wrap-anywhere">
            <del>{before || t('admin.site_change_removed')}</del> <span aria-hidden="true">→</span>{' '}
            <ins className="no-underline">{after || t('admin.site_change_removed')}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
