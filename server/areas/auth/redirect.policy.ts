export type RedirectRules = { publicUrl: string; trustedRedirects: readonly string[] };

// Characters that browsers drop, or treat as a slash or line end.
// oxlint-disable-next-line no-control-regex
const TRICKY = /[\\\u0000-\u0020\u007f-\u00a0\u2028\u2029]/;

/** True if the path stays a plain path after repeated decoding. */
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
    // A space inside a name is harmless once the address is parsed.
    decoded = decoded.replaceAll(' ', '_');
    if (decoded === path) return true;
    path = decoded;
  }
  return false;
}

/**
 * Normalises a path of this site with its query and fragment. Undefined when the target leads to another site or is
 * ambiguous. An absolute address at our own origin counts as its path.
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

/** Normalises a target that a redirect may lead to: a path of this site or an address at a trusted origin. */
function allowed(target: string, rules: RedirectRules): string | undefined {
  const path = ownPath(target, rules.publicUrl);
  if (path !== undefined) return path;
  if (TRICKY.test(target) || !/^https?:\/\/[^/]/i.test(target)) return undefined;
  const url = URL.parse(target);
  if (!url || url.username || url.password || !rules.trustedRedirects.includes(url.origin)) return undefined;
  return url.href;
}

/** A requested redirect target if it is a path of this site or at a trusted origin, else `/`. */
export function safeRedirect(target: string | null | undefined, rules: RedirectRules): string {
  return (target && allowed(target, rules)) || '/';
}

/** Like `safeRedirect`, but returns the target unchanged instead of normalised. */
export function allowedTarget(target: string | null | undefined, rules: RedirectRules): string {
  return target && allowed(target, rules) !== undefined ? target : '/';
}
