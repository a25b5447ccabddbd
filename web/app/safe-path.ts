/** An address on this site to go back to, or the fallback: never another origin. */
export function safePath(value: FormDataEntryValue | string | null | undefined, fallback = '/'): string {
  if (typeof value !== 'string' || !/^\/(?!\/)/.test(value) || /[\\\p{Cc}]/u.test(value)) return fallback;
  return value;
}
