import type { AppError } from '../errors.ts';

export const TRANSLATION_REFUSALS: Partial<Record<AppError['code'], string>> = {
  'request.invalid': 'invalid_request',
  'request.malformed': 'invalid_request',
  'request.too_large': 'invalid_request',
  'request.media_type': 'invalid_request',
  'translation.invalid': 'invalid_translation',
  'translation.unavailable': 'translation_unavailable',
};

/** The body the specification gives to refused translations; what is refused for who asks has the usual one. */
export function translationRefusal({ code, message }: AppError): Record<string, unknown> | undefined {
  const named = TRANSLATION_REFUSALS[code];
  return named === undefined ? undefined : { error: message, code: named };
}
