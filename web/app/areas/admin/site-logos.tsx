import { LOGO_THEMES, type LogoTheme } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import { SmartForm } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { PictureUpload, ShownPicture } from './picture-upload.tsx';
import { LOGO_SLOTS } from './site-form.ts';

const TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/svg+xml';
const LOOKS = {
  light: { title: 'admin.site_logo', hint: 'admin.site_logo_hint' },
  dark: { title: 'admin.site_logo_dark', hint: 'admin.site_logo_dark_hint' },
} as const satisfies Record<LogoTheme, object>;

/** The logos, each with a form of its own because it is uploaded at once. */
export function Logos({ settings }: { settings: SiteSettings }) {
  return (
    <div className="grid max-w-2xl gap-10">
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
  return (
    <section aria-labelledby={`logo-${theme}`}>
      <h2 id={`logo-${theme}`} className="text-2xl">
        {t(title)}
      </h2>
      <p className="mt-1 max-w-prose text-sm text-muted">{t(hint)}</p>
      {logo ? (
        <ShownPicture
          picture={logo}
          alt={settings.shownName}
          ground={theme === 'dark' ? 'bg-[#13152a]' : 'bg-[#fbfaf7]'}
          size="max-h-16"
        >
          <SmartForm intent={`remove-${theme}`}>
            <Button look="quiet">{t('admin.site_logo_remove')}</Button>
          </SmartForm>
        </ShownPicture>
      ) : null}
      <PictureUpload
        intent={`logo-${theme}`}
        id={`logo-${theme}-picture`}
        accept={TYPES}
        button={t('admin.site_logo_upload')}
      />
    </section>
  );
}
