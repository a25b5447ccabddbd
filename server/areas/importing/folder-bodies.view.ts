import { basename } from 'node:path/posix';
import { type Locale, type LocalizedText } from '@officium/contract/common';
import type { Assessment } from '@officium/contract/assessment';
import { type AssessmentQuestion, collectQuestions } from '#server/text/assessment-questions.ts';
import type { Heading, RenderOptions } from '#server/text/markdown.ts';
import type { BlockSet } from '#server/text/blocks/block.ts';
import { resolveImagePath } from '#server/areas/catalogue/image-path.policy.ts';
import { extensionOf } from '#server/outside/media-type.data.ts';
import { textLabels } from '#server/text/labels.ts';
import { renderPage } from '#server/text/page.ts';
import { contentOf } from '#server/text/text-content.ts';
import type { StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

export type RenderedBody = {
  locale: string;
  file: string | null;
  source: string;
  title: string | null;
  html: string;
  headings: Heading[];
  /** The questions with their keys, which `html` then lacks; null unless they are kept apart. */
  questions: AssessmentQuestion[] | null;
};
export type RenderedItem = { bodies: RenderedBody[]; assetPaths: Set<string> };

/**
 * Renders an item's texts, one per language, and returns the pictures of the folder that they show. `isApart` collects
 * their questions, as an assessment does.
 */
export function renderItem(
  item: {
    body: LocalizedText;
    bodyFiles: LocalizedText;
    assessment?: Assessment | null | undefined;
    isApart?: boolean;
  },
  assets: ReadonlyMap<string, StoredAsset>,
  blocks: BlockSet,
): RenderedItem {
  const assetPaths = new Set<string>();
  const { filled, empty } = contentOf(item.body);
  // A translation without content is not stored, so that readers get the next language of their chain.
  const skipped = new Set<string>(filled.length > 0 ? empty : []);
  const texts = Object.entries(item.body).filter(([locale]) => !skipped.has(locale));
  const bodies = texts.map(([locale, source]): RenderedBody => {
    const file = item.bodyFiles[locale as Locale]; // keys of a LocalizedText
    const resolve = (src: string) => {
      const path = resolveImagePath(src, file ?? '', (candidate) => assets.has(candidate));
      const asset = path === undefined ? undefined : assets.get(path);
      if (path === undefined || !asset) return undefined;
      assetPaths.add(path);
      return { asset, path };
    };
    const resolveImage = (src: string) => {
      const { asset } = resolve(src) ?? {};
      return asset?.mime.startsWith('image/') ? { src: asset.url, ...asset.size } : undefined;
    };
    const resolveMedia = (src: string) => {
      const { asset, path = '' } = resolve(src) ?? {};
      return asset && { ...asset, name: basename(path), extension: extensionOf(asset.key) };
    };
    const labels = textLabels(locale as Locale); // keys of a LocalizedText
    const options: RenderOptions = { resolveImage, resolveMedia, liftTitle: true, ...labels };
    const collected = (item.isApart ?? Boolean(item.assessment)) ? collectQuestions(options) : undefined;
    const { html, headings, title } = renderPage(source, { ...options, blocks: collected?.blocks ?? blocks });
    const questions = collected?.questions() ?? null;
    return { locale, file: file ?? null, source, title: title ?? null, html, headings, questions };
  });
  return { bodies, assetPaths };
}
