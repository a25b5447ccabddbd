import { LOGO_THEMES, type LogoTheme } from '@officium/contract/site';
import { type SiteSettings, updateSiteSettings, uploadSiteLogo } from '@officium/contract/site-settings';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { type Attempt, type Refusal, refuse } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

const MAX_BYTES = 5 * 1024 * 1024;
const TYPES = 'image/jpeg,image/png,image/webp,image/gif';
const LOOKS = {
  light: { slot: 'logo', title: 'admin.site_logo', hint: 'admin.site_logo_hint' },
  dark: { slot: 'logoDark', title: 'admin.site_logo_dark', hint: 'admin.site_logo_dark_hint' },
} as const satisfies Record<LogoTheme, object>;

/** The theme of a form of this part; undefined for any other form. */
export function themeOf(intent: string): LogoTheme | undefined {
  return LOGO_THEMES.find((theme) => intent === `logo-${theme}` || intent === `remove-${theme}`);
}

type Change = { attempt: Attempt; fields: FormData; settings: SiteSettings; theme: LogoTheme; intent: string };

/** Uploads or removes a logo. */
export async function changeLogo({ attempt, fields, settings, theme, intent }: Change): Promise<Refusal | Response> {
  if (intent === `remove-${theme}`) {
    const { version, identity } = settings;
    const body = { version, identity: { ...identity, [LOOKS[theme].slot]: null } };
    const removed = await attempt(updateSiteSettings, { body });
    return removed.ok ? redirectWith('/admin/site', { key: 'common.saved' }) : removed.refusal;
  }
  const refused = (message: string) => refuse({ message, issues: [{ path: 'picture', message }], values: { intent } });
  const file = fields.get('picture');
  if (!(file instanceof File) || file.size === 0) return refused('Picture is required');
  if (file.size > MAX_BYTES) return refused('Picture must have at most 5 MB');
  const uploaded = await attempt(uploadSiteLogo, { params: { theme }, file });
  if (uploaded.ok) return redirectWith('/admin/site', { key: 'common.saved' });
  return uploaded.failure.code === 'assets.bad_image' ? refused('Picture cannot be opened') : uploaded.refusal;
}

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
  const { slot, title, hint } = LOOKS[theme];
  const logo = settings.identity[slot];
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
