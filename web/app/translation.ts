import type { readArticleTranslation, readPayloadTranslation } from '@officium/contract/translation';
import type { ReplyOf } from '@officium/contract/endpoint';

/** Why there is no translation: too many requests by the viewer, or none available. */
export type NoTranslation = { reason: 'many' | 'none' };
export type TextTranslation = ReplyOf<typeof readPayloadTranslation> | NoTranslation;
export type ArticleTranslation = ReplyOf<typeof readArticleTranslation> | NoTranslation;
export const isTranslated = <T extends object>(translation: T | NoTranslation | undefined): translation is T =>
  translation !== undefined && !('reason' in translation);
