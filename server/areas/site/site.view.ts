import type { Locale, LocalizedText } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type * as contract from '@officium/contract/site';
import type { SitePageText, SiteSettings } from '@officium/contract/site-settings';
import type { CertificateDesign } from '@officium/contract/site';
import { accentOf } from '#server/site/accent.ts';
import { identityOf, nameOf, type NameSettings, type Site } from '#server/site/site.ts';
import { pickText } from '#server/text/localised.ts';
import type { SitePageRow, SiteVersionRow } from './site.repository.ts';

/** The settings as administrators edit them. */
export function toSettings(rows: SiteVersionRow[], settings: NameSettings): SiteSettings {
  const history = rows.map(({ version, identity, changed_at, actorName, isActorDeleted }) => ({
    version,
    changedAt: changed_at.toISOString(),
    actorName,
    ...(isActorDeleted ? { isActorDeleted: true as const } : {}),
    identity: identityOf(identity),
  }));
  const [newest] = history;
  const identity = newest?.identity ?? identityOf({});
  const accent = identity.accent === null ? null : accentOf(identity.accent);
  return {
    version: newest?.version ?? 0,
    identity,
    shownName: nameOf(settings, identity),
    nameIsFixed: settings.isNameSet,
    colours: accent && { light: accent.light.accent, dark: accent.dark.accent, isAdjusted: accent.isAdjusted },
    certificateColour: certificateColourOf(identity.certificate),
    history,
  };
}

function certificateColourOf({ colour }: CertificateDesign): SiteSettings['certificateColour'] {
  if (colour === null) return null;
  const { light, isAdjusted } = accentOf(colour);
  return { shown: light.accent, isAdjusted };
}

export function toSite(site: Site, locale: Locale): ReplyOf<typeof contract.readSite> {
  const { name, note, contact, pages } = site;
  return {
    name,
    note: pickText(note, locale).text || null,
    contact,
    pages: Object.keys(pages) as contract.SitePageKind[], // read from the list of kinds
  };
}

export function toPageText({ locale, version, body, changed_at }: SitePageRow): SitePageText {
  return { locale: locale as Locale, version, body: body ?? '', changedAt: changed_at.toISOString() }; // written by updateSitePage only
}

/** The page in the reader's language, else in one it falls back to; undefined when the site has not written it. */
export function toPage(
  rows: SitePageRow[],
  locale: Locale,
): { html: string; locale: Locale; changedAt: Date } | undefined {
  const texts: LocalizedText = Object.fromEntries(
    rows.flatMap((row) => (row.body_html ? [[row.locale, row.body_html]] : [])),
  );
  const picked = pickText(texts, locale);
  const row = rows.find((one) => one.locale === picked.locale);
  return picked.text && row ? { html: picked.text, locale: picked.locale, changedAt: row.changed_at } : undefined;
}
