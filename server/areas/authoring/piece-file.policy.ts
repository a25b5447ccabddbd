import type { PieceDoc } from '@officium/contract/authoring';
import { isEditorialKind, partNames } from '#server/areas/catalogue/editorial.policy.ts';

/** Whether a piece has a text that can show recordings and files. */
export function takesFiles(doc: PieceDoc): boolean {
  return isEditorialKind(doc.kind) ? partNames(doc.kind).length > 0 : 'body' in doc;
}
