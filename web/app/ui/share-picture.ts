// Shared by the page, which links its picture, and the server, which draws it (server/feeds/picture.service.ts).

/** Pages with a share picture of their own. */
const DRAWN =
  /^\/(?:courses(?:\/[^/]+(?:\/[^/]+\/[^/]+)?)?|academies(?:\/[^/]+)?|microcourses\/en\/[^/]+|(?:questions|solutions|hubs|events)\/[^/]+|communities(?:\/[^/]+(?:\/activities\/[^/]+)?)?|articles(?:\/[^/]+)?)?$/;

/** Raise it when the design of pictures changes, to invalidate caches. */
const LOOK = 1;

export const PICTURE = { width: 1200, height: 630 } as const;

/** The content of a share picture: the title, the address of the cover, and the name of the site. */
export type PictureText = { title: string; cover?: string | undefined; site: string };

/** The path of a page's share picture, derived from what it shows; undefined when the page has none. */
export function picturePath(
  pathname: string,
  locale: string,
  { title, cover = '', site }: PictureText,
): string | undefined {
  if (!DRAWN.test(pathname)) return undefined;
  return `/pictures/${locale}/${hashOf(JSON.stringify([LOOK, locale, title, cover, site]))}${pathname === '/' ? '/home' : pathname}.png`;
}

/** 53 bits in base 36, after cyrb53: not secret, only different for different texts. */
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
