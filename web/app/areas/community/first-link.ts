/** The first link of sanitised HTML to another site. */
export function firstLinkOf(html: string): string | undefined {
  const [, address] = /<a\s[^>]*?href="(https?:\/\/[^"]+)"/i.exec(html) ?? [];
  return address?.replaceAll('&amp;', '&');
}

/** An address encoded as a path parameter of the API. */
export function encodeAddress(address: string): string {
  const bytes = new TextEncoder().encode(address);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
