const TAG_OR_TEXT = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;
const INLINE = /^(?:a|abbr|b|bdi|bdo|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|var)$/;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The text of a lesson, and the positions of its anchors in it. */
export type Places = { words: string; anchors: { at: number; id: string }[] };

/**
 * Reads the text and anchors of sanitised HTML. Spaces are dropped, because blocks and line breaks have none in the
 * source.
 */
export function placesOf(html: string): Places {
  const anchors: Places['anchors'] = [];
  let words = '';
  for (const [whole, , name, attributes = ''] of html.matchAll(TAG_OR_TEXT)) {
    if (name === undefined) words += withoutSpaces(unescaped(whole));
    else if (!INLINE.test(name)) {
      const id = / id="([^"]+)"/.exec(attributes)?.[1];
      if (id) anchors.push({ at: words.length, id: unescaped(id) });
    }
  }
  return { words, anchors };
}

/**
 * The nearest anchor at or above a quotation; null at the top, undefined when the text does not contain it word for
 * word.
 */
export function placeOf({ words, anchors }: Places, quote: string): string | null | undefined {
  const at = words.indexOf(withoutSpaces(quote));
  if (at < 0) return undefined;
  return anchors.findLast((anchor) => anchor.at <= at)?.id ?? null;
}

export function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

function unescaped(text: string): string {
  return text.replace(/&(#39|[a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
