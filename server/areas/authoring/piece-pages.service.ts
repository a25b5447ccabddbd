import { setImmediate } from 'node:timers/promises';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { Files } from '#server/outside/files.ts';
import { pictureSize } from '#server/outside/picture.ts';
import { type RenderedItem, renderItem } from '#server/areas/importing/folder-bodies.view.ts';
import { hasContent } from '#server/text/text-content.ts';
import { blocksOf } from '#server/areas/publish-checks/blocks.policy.ts';
import { bodyOf, isPicture, type PieceImage, type StoredDoc, usedImages } from './piece.policy.ts';
import { assetUrl, fileOf, isWords, type StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

/** Renders the texts of a piece like an import. */
export async function renderPiece(
  files: Files,
  doc: StoredDoc,
  { body = bodyOf(doc), isPreview = false }: { body?: LocalizedText; isPreview?: boolean } = {},
): Promise<RenderedItem> {
  const assets = new Map<string, StoredAsset>();
  for (const image of usedImages(doc, doc.images)) assets.set(image.path, await assetOf(files, image));
  const isApart = !isPreview && (doc.kind === 'course' || (doc.kind === 'lesson' && doc.assessment !== null));
  const shown = await withContent(body);
  const all: RenderedItem = { bodies: [], assetPaths: new Set() };
  for (const [locale, text] of Object.entries(shown)) {
    // The longest texts take up to a second each; other requests are served in between.
    await setImmediate();
    const item = { body: { [locale]: text }, bodyFiles: doc.bodyFiles, isApart };
    const { bodies, assetPaths } = renderItem(item, assets, blocksOf(doc.kind));
    all.bodies.push(...bodies);
    for (const path of assetPaths) all.assetPaths.add(path);
  }
  return all;
}

/** Leaves out languages without content, unless none has any. */
async function withContent(body: LocalizedText): Promise<LocalizedText> {
  const filled: [string, string][] = [];
  for (const [locale, text] of Object.entries(body)) {
    await setImmediate();
    if (hasContent(text)) filled.push([locale, text]);
  }
  return filled.length > 0 ? Object.fromEntries(filled) : body;
}

/** Renders the text in one language, in which authors also see the questions of an assessment or a bank. */
export async function renderPreview(files: Files, doc: StoredDoc, locale: Locale): Promise<RenderedItem> {
  return await renderPiece(files, doc, { body: { [locale]: bodyOf(doc)[locale] ?? '' }, isPreview: true });
}

/**
 * Reads the picture's size, which is not stored, so that the page layout does not shift while it loads, and captions
 * for the transcript. Recordings are not read.
 */
async function assetOf(files: Files, image: PieceImage): Promise<StoredAsset> {
  const stored = fileOf(image.key);
  const isRead = stored && (isPicture(image) || isWords(image));
  const bytes = isRead && (await files.exists(stored.file)) ? await files.get(stored.file) : undefined;
  return {
    ...image,
    url: assetUrl(image.key),
    size: bytes && isPicture(image) ? await pictureSize(bytes) : undefined,
    text: bytes && isWords(image) ? new TextDecoder().decode(bytes) : undefined,
  };
}
