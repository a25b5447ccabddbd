import type { Locale, LocalizedText } from '@officium/contract/common';
import type { LinkedCard } from '@officium/contract/editorials';
import { toCover } from '#server/areas/catalogue/catalogue.view.ts';
import { pagePath, type Page } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';

type Shown = {
  kind: LinkedCard['kind'];
  page: Page | null;
  title: LocalizedText;
  summary: LocalizedText;
  cover_key: string | null;
  cover_alt: LocalizedText;
  minutes?: number;
  body?: { html: string; locale: Locale } | undefined;
};

/** A card in the language nearest to the reader's. */
export function toLinkedCard(shown: Shown, locale: Locale): LinkedCard {
  const title = pickText(shown.title, locale);
  return {
    kind: shown.kind,
    path: shown.page && pagePath(shown.page),
    title: title.text,
    summary: pickText(shown.summary, title.locale).text, // one language for both, as `shownLocale` says
    shownLocale: title.locale,
    minutes: shown.minutes ?? null,
    cover: toCover(shown, locale),
    html: shown.body?.html ?? null,
    bodyLocale: shown.body?.locale ?? null,
  };
}
