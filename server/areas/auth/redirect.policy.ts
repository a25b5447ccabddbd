export type RedirectRules = { publicUrl: string; trustedRedirects: readonly string[] };

// Whatever browsers drop, take for a slash or for the end of a line.
// oxlint-disable-next-line no-control-regex
const TRICKY = /[\\\u0000-\u0020\u007f-\u00a0\u2028\u2029]/;

/** A path that still reads as a plain one after any number of decodings. */
function isPlainPath(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < 4; round += 1) {
    if (!path.startsWith('/') || path.includes('//') || TRICKY.test(path) || path.split('/').includes('..'))
      return false;
    if (/%(?:2f|5c|0[0-9a-f]|1[0-9a-f]|7f)/i.test(path)) return false;
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return false;
    }
    // A space within a name is no trick once the address is parsed.
    decoded = decoded.replaceAll(' ', '_');
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

/**
 * A path of ours in normal form, with its query and fragment, or undefined when the target leads elsewhere or could be
 * read in two ways. An absolute address at our own origin counts as its path.
 */
export function ownPath(target: string, publicUrl: string): string | undefined {
  if (TRICKY.test(target) || target.startsWith('//')) return undefined;
  if (!target.startsWith('/') && !/^https?:\/\//i.test(target)) return undefined;
  const url = URL.parse(target, publicUrl);
  if (!url || url.origin !== new URL(publicUrl).origin || url.username || url.password) return undefined;
  const written = target.startsWith('/') ? target.split(/[?#]/, 1)[0] : url.pathname;
  if (!isPlainPath(written ?? '') || !isPlainPath(url.pathname)) return undefined;
  return url.pathname + url.search + url.hash;
}

/** A target in normal form where a redirect may lead there: to a path of ours or an address at a trusted origin. */
function allowed(target: string, rules: RedirectRules): string | undefined {
  const path = ownPath(target, rules.publicUrl);
  if (path !== undefined) return path;
  if (TRICKY.test(target) || !/^https?:\/\/[^/]/i.test(target)) return undefined;
  const url = URL.parse(target);
  if (!url || url.username || url.password || !rules.trustedRedirects.includes(url.origin)) return undefined;
  return url.href;
}

/** Where a redirect asked for from outside may lead: a path of ours, an address at a trusted origin, else `/`. */
export function safeRedirect(target: string | null | undefined, rules: RedirectRules): string {
  return (target && allowed(target, rules)) || '/';
}

/** The same, just as it was asked for. */
export function allowedTarget(target: string | null | undefined, rules: RedirectRules): string {
  return target && allowed(target, rules) !== undefined ? target : '/';
}
