import { LOGO_THEMES, type LogoTheme } from '@officium/contract/site';
import { type SiteSettings, updateSiteSettings, uploadSiteLogo } from '@officium/contract/site-settings';
import { redirectWith } from '../../form/flash.ts';
import { type Attempt, type Refusal, refuse } from '../../server/api.ts';
import { LOGO_SLOTS } from './site-form.ts';

const MAX_BYTES = 5 * 1024 * 1024;

/** The theme of a form of this part; undefined for any other form. */
export function themeOf(intent: string): LogoTheme | undefined {
  return LOGO_THEMES.find((theme) => intent === `logo-${theme}` || intent === `remove-${theme}`);
}

type Change = { attempt: Attempt; fields: FormData; settings: SiteSettings; theme: LogoTheme; intent: string };

/** Uploads or removes a logo. */
export async function changeLogo({ attempt, fields, settings, theme, intent }: Change): Promise<Refusal | Response> {
  if (intent === `remove-${theme}`) {
    const { version, identity } = settings;
    const body = { version, identity: { ...identity, [LOGO_SLOTS[theme]]: null } };
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
