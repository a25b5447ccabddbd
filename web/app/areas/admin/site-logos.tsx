import { LOGO_THEMES, type LogoTheme } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { LOGO_SLOTS } from './site-form.ts';

const TYPES = 'image/jpeg,image/png,image/webp,image/gif';
const LOOKS = {
  light: { title: 'admin.site_logo', hint: 'admin.site_logo_hint' },
  dark: { title: 'admin.site_logo_dark', hint: 'admin.site_logo_dark_hint' },
} as const satisfies Record<LogoTheme, object>;

/** The logos, each with a form of its own because it is uploaded at once. */
export function Logos({ settings }: { settings: SiteSettings }) {
  return (
    <div className="mt-12 grid max-w-2xl gap-10 border-t border-line pt-8">
      {LOGO_THEMES.map((theme) => (
        <LogoForm key={theme} theme={theme} settings={settings} />
      ))}
    </div>
  );
}

function LogoForm({ theme, settings }: { theme: LogoTheme; settings: SiteSettings }) {
  const { t } = useText();
  const { title, hint } = LOOKS[theme];
  const logo = settings.identity[LOGO_SLOTS[theme]];
  const { isSubmitting } = useSubmitting(`logo-${theme}`);
  return (
    <section aria-labelledby={`logo-${theme}`}>
      <h2 id={`logo-${theme}`} className="text-2xl">
        {t(title)}
      </h2>
      <p className="mt-1 max-w-prose text-sm text-muted">{t(hint)}</p>
      {logo ? (
        <div className="mt-3 flex flex-wrap items-center gap-4">
          <span className={`rounded border border-line p-3 ${theme === 'dark' ? 'bg-[#13152a]' : 'bg-[#fbfaf7]'}`}>
            <img
              src={`/content-assets/${logo.key}`}
              alt={settings.shownName}
              width={logo.width}
              height={logo.height}
              className="h-auto max-h-16 w-auto max-w-full"
            />
          </span>
          <SmartForm intent={`remove-${theme}`}>
            <Button look="quiet">{t('admin.site_logo_remove')}</Button>
          </SmartForm>
        </div>
      ) : null}
      <SmartForm
        intent={`logo-${theme}`}
        encType="multipart/form-data"
        className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3"
      >
        <Field
          id={`logo-${theme}-picture`}
          name="picture"
          type="file"
          accept={TYPES}
          required
          label={t('admin.site_logo_file')}
          hint={t('admin.site_logo_file_hint')}
          className="min-w-0 grow basis-72"
        />
        <Button look="secondary" isBusy={isSubmitting}>
          {t('admin.site_logo_upload')}
        </Button>
      </SmartForm>
    </section>
  );
}
