import { NOT_TOP_LEVEL } from '@officium/contract/rich-text';
import type { AppError } from '../errors.ts';

export const TRANSLATION_REFUSALS: Partial<Record<AppError['code'], string>> = {
  'request.invalid': 'invalid_request',
  'request.malformed': 'invalid_request',
  'request.too_large': 'invalid_request',
  'request.media_type': 'invalid_request',
  'translation.invalid': 'invalid_translation',
  'translation.unavailable': 'translation_unavailable',
};

/**
 * The body the specification gives to refused translations; other refusals have the usual one. The sentence ends with the
 * path of the faulty node of a rich text, unless the specification words it.
 */
export function translationRefusal({ code, message, details }: AppError): Record<string, unknown> | undefined {
  const named = TRANSLATION_REFUSALS[code];
  if (named === undefined) return undefined;
  const path = details.issues?.[0]?.path ?? '';
  const isNested = path.includes('.') && message !== NOT_TOP_LEVEL;
  return { error: isNested ? `${message} (${path})` : message, code: named };
}
