import type { TranslateTexts } from './passages.ts';

/** Translates to capitals for tests, leaving marks and entities unchanged. */
export const capitals: TranslateTexts = async (texts) =>
  texts.map((text) =>
    text
      .split(/(<[^>]*>|&\w+;)/)
      .map((part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))
      .join(''),
  );
