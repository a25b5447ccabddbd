/** The first address of another site that sanitised HTML links to. */
export function firstLinkOf(html: string): string | undefined {
  const [, address] = /<a\s[^>]*?href="(https?:\/\/[^"]+)"/i.exec(html) ?? [];
  return address?.replaceAll('&amp;', '&');
}

/** An address as a path of the API names it. */
export function encodeAddress(address: string): string {
  const bytes = new TextEncoder().encode(address);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
