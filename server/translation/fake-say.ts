import type { Say } from './passages.ts';

/** For tests: says it all in capitals and leaves the marks of a text alone. */
export const capitals: Say = async (texts) =>
  texts.map((text) =>
    text
      .split(/(<[^>]*>|&\w+;)/)
      .map((part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))
      .join(''),
  );
