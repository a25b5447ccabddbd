import type { SiteSettings } from '@officium/contract/site-settings';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Checkbox, FieldGroup, Select } from '../../ui/field.tsx';

/** The languages that readers are offered, and the default. */
export function LanguageFields({ settings: { identity } }: { settings: SiteSettings }) {
  const { t } = useText();
  return (
    <>
      <FieldGroup
        name="identity.languages"
        legend={t('admin.setup_languages_offered')}
        hint={t('admin.setup_languages_text')}
      >
        <div className="grid gap-x-4 sm:grid-cols-2">
          {LOCALES.map((locale) => (
            <Checkbox
              key={locale}
              name="languages"
              value={locale}
              label={<span lang={locale}>{endonymOf(locale)}</span>}
              defaultChecked={identity.languages?.includes(locale) ?? true}
            />
          ))}
        </div>
      </FieldGroup>
      <Select
        name="defaultLanguage"
        label={t('admin.setup_languages_default')}
        hint={t('admin.setup_languages_default_hint')}
        options={LOCALES.map((value) => ({ value, label: endonymOf(value) }))}
        defaultValue={identity.defaultLanguage}
        required
        className="max-w-xs"
      />
    </>
  );
}
