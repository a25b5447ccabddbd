/** Base for parsing addresses; never requested. */
const HERE = 'http://here.invalid';

/**
 * The path, query and fragment of a page on this site, as browsers parse it and valid in a header; else the fallback.
 * Never another origin.
 */
export function safePath(value: FormDataEntryValue | string | null | undefined, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || /[\\\p{Cc}]/u.test(value)) return fallback;
  const url = URL.parse(value, HERE);
  if (url?.origin !== HERE) return fallback;
  const path = url.pathname + url.search + url.hash;
  return path.startsWith('//') ? fallback : path; // the result of `/..//elsewhere`
}
