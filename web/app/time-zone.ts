/** Stores the browser's time zone in a cookie, so that the server renders later dates in it. */
export function tellTimeZone(): void {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timeZone && timeZone !== document.documentElement.dataset['timeZone'])
    document.cookie = `tz=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`;
}
