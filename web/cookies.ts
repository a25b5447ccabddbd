/** The cookie of a page's message, by the name that pages know it by; see `redirectWith`. */
const MESSAGE = 'flash';
/** Its name over https, where a sibling domain, which could otherwise word a message, cannot set it. */
const OWN_MESSAGE = `__Host-${MESSAGE}`;

/** The cookies of a visitor, by the names that pages know them by. */
export function cookiesOf(header: string | undefined, isSecure: boolean): Record<string, string | undefined> {
  const cookies: Record<string, string | undefined> = Object.create(null);
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const name = pair.slice(0, at).trim();
    if (isSecure && name === MESSAGE) continue;
    const value = pair.slice(at + 1).trim();
    const known = isSecure && name === OWN_MESSAGE ? MESSAGE : name;
    try {
      cookies[known] ??= decodeURIComponent(value);
    } catch {
      cookies[known] ??= value;
    }
  }
  return cookies;
}

/** All cookies set by a page or the API behind it; with https all are marked Secure, and messages are for this host only. */
export function cookiesToSet(response: Response, ofTheApi: readonly string[], isSecure: boolean): string[] {
  const all = [...ofTheApi, ...response.headers.getSetCookie()];
  return isSecure ? all.map(secured) : all;
}

function secured(cookie: string): string {
  const own = cookie.startsWith(`${MESSAGE}=`) ? cookie.replace(MESSAGE, OWN_MESSAGE) : cookie;
  return /;\s*secure\s*(?:;|$)/i.test(own) ? own : `${own}; Secure`;
}
