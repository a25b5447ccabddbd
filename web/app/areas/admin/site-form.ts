import type { LogoTheme, SiteIdentity } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import { optionalOf, textOf } from '../../form/fields.ts';

/** The texts of the site that are written in each language. */
export const SITE_TEXTS = ['headline', 'lead', 'note'] as const;
/** The field of the identity that holds the logo of a theme. */
export const LOGO_SLOTS = { light: 'logo', dark: 'logoDark' } as const satisfies Record<LogoTheme, keyof SiteIdentity>;
/** Empty rows below the existing links. */
export const NEW_LINKS = 2;

/** The submitted form in one language, on top of what is stored: other languages keep their texts. */
export function identityOf(fields: FormData, stored: SiteIdentity, locale: Locale): SiteIdentity {
  const withText = (name: string, texts: SiteIdentity['note']) => ({ ...texts, [locale]: textOf(fields, name).trim() });
  const rows = [...stored.links, ...Array.from({ length: NEW_LINKS }, () => ({ label: {}, url: '' }))];
  const links = rows.flatMap(({ label }, at) => {
    const url = textOf(fields, `identity.links.${at}.url`).trim();
    return url === '' ? [] : [{ label: withText(`identity.links.${at}.label`, label), url }];
  });
  return {
    name: fields.has('identity.name') ? (optionalOf(fields, 'identity.name') ?? null) : stored.name,
    accent: optionalOf(fields, 'identity.accent') ?? null,
    certificate: stored.certificate,
    logo: stored.logo,
    logoDark: stored.logoDark,
    contact: optionalOf(fields, 'identity.contact') ?? null,
    headline: withText('identity.headline', stored.headline),
    lead: withText('identity.lead', stored.lead),
    note: withText('identity.note', stored.note),
    links,
    languages: stored.languages,
    defaultLanguage: stored.defaultLanguage,
  };
}
