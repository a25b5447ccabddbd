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

type Change = {
  attempt: Attempt;
  fields: FormData;
  settings: SiteSettings;
  theme: LogoTheme;
  intent: string;
  /** The page of the form. */
  back: string;
};

/** Uploads or removes a logo. */
export async function changeLogo({
  attempt,
  fields,
  settings,
  theme,
  intent,
  back,
}: Change): Promise<Refusal | Response> {
  if (intent === `remove-${theme}`) {
    const { version, identity } = settings;
    const body = { version, identity: { ...identity, [LOGO_SLOTS[theme]]: null } };
    const removed = await attempt(updateSiteSettings, { body });
    return removed.ok ? redirectWith(back, { key: 'common.saved' }) : removed.refusal;
  }
  const file = fields.get('picture');
  if (!isPicture(file)) return refusedUpload(file, intent);
  const uploaded = await attempt(uploadSiteLogo, { params: { theme }, file });
  if (uploaded.ok) return redirectWith(back, { key: 'common.saved' });
  return unreadable(uploaded, intent);
}

type Sent = FormDataEntryValue | null;

/** A picture of a size that the API takes. */
export function isPicture(file: Sent): file is File {
  return file instanceof File && file.size > 0 && file.size <= MAX_BYTES;
}

export function refusedUpload(file: Sent, intent: string): Refusal {
  const isTooLarge = file instanceof File && file.size > MAX_BYTES;
  return atPicture(isTooLarge ? 'Picture must have at most 5 MB' : 'Picture is required', intent);
}

/** The refusal of an upload; that of a file which is no picture stands at its field. */
export function unreadable(
  { failure, refusal }: { failure: { code?: string }; refusal: Refusal },
  intent: string,
): Refusal {
  return failure.code === 'assets.bad_image' ? atPicture('Picture cannot be opened', intent) : refusal;
}

function atPicture(message: string, intent: string): Refusal {
  return refuse({ message, issues: [{ path: 'picture', message }], values: { intent } });
}
