/** The server writes dates in the visitor's own time zone from the next page on. */
export function tellTimeZone(): void {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timeZone && timeZone !== document.documentElement.dataset['timeZone'])
    document.cookie = `tz=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`;
}
