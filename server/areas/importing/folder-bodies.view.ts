import { type Locale, type LocalizedText } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import type { Heading } from '#server/text/markdown.ts';
import { resolveImagePath } from '#server/areas/catalogue/image-path.policy.ts';
import { renderPage } from '#server/text/page.ts';
import type { StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

export type RenderedBody = {
  locale: string;
  file: string | null;
  source: string;
  title: string | null;
  html: string;
  headings: Heading[];
};
export type RenderedItem = { bodies: RenderedBody[]; assetPaths: Set<string> };

/** Makes pages of an item's texts, one a language, and tells which pictures of the folder they show. */
export function renderItem(
  item: { body: LocalizedText; bodyFiles: LocalizedText },
  assets: ReadonlyMap<string, StoredAsset>,
): RenderedItem {
  const assetPaths = new Set<string>();
  const bodies = Object.entries(item.body).map(([locale, source]): RenderedBody => {
    const file = item.bodyFiles[locale as Locale]; // keys of a LocalizedText
    const resolveImage = (src: string) => {
      const path = resolveImagePath(src, file ?? '', (candidate) => assets.has(candidate));
      const asset = path === undefined ? undefined : assets.get(path);
      if (path === undefined || !asset) return undefined;
      assetPaths.add(path);
      return { src: asset.url, ...asset.size };
    };
    const tableLabel = createTranslator(locale as Locale).t('content.table'); // keys of a LocalizedText
    const { html, headings, title } = renderPage(source, { resolveImage, liftTitle: true, tableLabel });
    return { locale, file: file ?? null, source, title: title ?? null, html, headings };
  });
  return { bodies, assetPaths };
}
