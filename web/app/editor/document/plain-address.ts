/** Parameters that only tell who sent a link to whom. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|_hs(?:enc|mi)|mkt_tok|yclid|vero_id)$/i;
/** Pages that only lead on, and the parameter that holds the address. */
const REDIRECTS: [host: RegExp, path: RegExp, parameter: string][] = [
  [/^(?:www\.)?google\.[a-z.]+$/, /^\/url$/, 'q'],
  [/\.safelinks\.protection\.outlook\.com$/, /^\//, 'url'],
  [/^l\.(?:facebook|instagram)\.com$/, /^\//, 'u'],
];

/** The address that a copied link means, without tracking; undefined if it leads nowhere outside its document. */
export function plainAddress(written: string, depth = 0): string | undefined {
  const url = URL.parse(written.trim());
  if (!url || !/^(?:https?|mailto):$/.test(url.protocol)) return undefined;
  const redirect = REDIRECTS.find(([host, path]) => host.test(url.hostname) && path.test(url.pathname));
  const target = redirect && url.searchParams.get(redirect[2]);
  if (target && depth < 3) return plainAddress(target, depth + 1);
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  if (tracking.length === 0) return written.trim();
  for (const name of tracking) url.searchParams.delete(name);
  return url.href;
}
