import type { PieceFile } from '@officium/contract/authoring';
import { mediaOfMime } from '#server/outside/media-type.data.ts';
import type { Hash } from '#server/areas/assets/outside-picture.policy.ts';
import { readerUrl } from '#server/areas/catalogue/media-access.policy.ts';
import type { PieceImage } from './piece.policy.ts';

/** A recording or document of a piece, with an address that works for two days. */
export function toPieceFile({ path, key, mime, bytes }: PieceImage, hash: Hash, now: Date): PieceFile {
  return { path, url: readerUrl(hash, key, now), kind: mediaOfMime(mime)?.kind ?? 'file', bytes };
}
