import type { Locale } from '@officium/contract/common';
import type { Files } from '#server/outside/files.ts';
import { pictureSize } from '#server/outside/picture.ts';
import { type RenderedItem, renderItem } from '#server/areas/importing/folder-bodies.view.ts';
import { blocksOf } from '#server/areas/publish-checks/blocks.policy.ts';
import { bodyOf, isPicture, type PieceImage, type StoredDoc, usedImages } from './piece.policy.ts';
import { assetUrl, fileOf, isWords, type StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

/** Renders the texts of a piece like an import. */
export async function renderPiece(files: Files, doc: StoredDoc, body = bodyOf(doc)): Promise<RenderedItem> {
  const assets = new Map<string, StoredAsset>();
  for (const image of usedImages(doc, doc.images)) assets.set(image.path, await assetOf(files, image));
  const assessment = doc.kind === 'lesson' ? doc.assessment : null;
  return renderItem({ body, bodyFiles: doc.bodyFiles, assessment }, assets, blocksOf(doc.kind));
}

/** Renders the text in one language, in which authors also see the questions of an assessment. */
export async function renderPreview(files: Files, doc: StoredDoc, locale: Locale): Promise<RenderedItem> {
  const whole = doc.kind === 'lesson' ? { ...doc, assessment: null } : doc;
  return await renderPiece(files, whole, { [locale]: bodyOf(doc)[locale] ?? '' });
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
