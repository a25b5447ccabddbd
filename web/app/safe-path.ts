/** Only to read addresses against; nothing is there. */
const HERE = 'http://here.invalid';

/**
 * The path of a page on this site, with its query and fragment, as a browser will read it and fit for a header; or the
 * fallback: never another origin.
 */
export function safePath(value: FormDataEntryValue | string | null | undefined, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || /[\\\p{Cc}]/u.test(value)) return fallback;
  const url = URL.parse(value, HERE);
  if (url?.origin !== HERE) return fallback;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith('//') ? fallback : path; // what is left of `/..//elsewhere`
}
