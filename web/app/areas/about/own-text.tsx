import { readSitePage, type SitePageKind } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import type { Api } from '../../server/api.ts';
import type { PageSite } from '../../server/page-context.ts';
import { useText } from '../../text.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';

export type OwnText = { html: string; lang: Locale; changedAt: string };

/** What the site has written itself for a page; null for nothing. */
export async function readOwnText(
  { api, site, locale }: { api: Api; site: PageSite; locale: Locale },
  kind: SitePageKind,
): Promise<OwnText | null> {
  if (site.pages[kind] === undefined) return null;
  const page = await api(readSitePage, { params: { kind }, query: { locale } });
  return { html: page.bodyHtml, lang: page.locale, changedAt: page.changedAt };
}

/** The site's own text with the date of its last change. */
export function OwnTextPart({ text: { html, lang, changedAt } }: { text: OwnText }) {
  const { locale, rich } = useText();
  return (
    <>
      <RichText html={html} {...(lang === locale ? {} : { lang })} className="mt-6" />
      <p className="mt-6 text-sm text-muted">
        {rich('common.changed_on', { date: <Time key="date" value={changedAt} look="date" /> })}
      </p>
    </>
  );
}
