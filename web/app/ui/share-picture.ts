// The page names its picture and the server draws it (server/feeds/picture.service.ts): both call this.

/** Pages that have a picture of their own. */
const DRAWN =
  /^\/(?:courses(?:\/[^/]+(?:\/[^/]+\/[^/]+)?)?|academies(?:\/[^/]+)?|microcourses\/en\/[^/]+|communities(?:\/[^/]+(?:\/activities\/[^/]+)?)?|articles(?:\/[^/]+)?)?$/;

/** Changes when pictures are drawn anew, so that nobody shows those of before. */
const LOOK = 1;

export const PICTURE = { width: 1200, height: 630 } as const;

/** The path of the picture other sites show of a page, made of what it says; undefined when the page has none. */
export function picturePath(pathname: string, locale: string, title: string): string | undefined {
  if (!DRAWN.test(pathname)) return undefined;
  return `/pictures/${locale}/${hashOf(`${LOOK} ${locale} ${title}`)}${pathname === '/' ? '/home' : pathname}.png`;
}

/** 53 bits in base 36, after cyrb53: no secret, only different for different texts. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
