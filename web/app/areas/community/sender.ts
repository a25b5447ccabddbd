/** The page the form was on, to return to without script. */
export function pageBefore(request: Request, origin: string, fallback: string): string {
  const referer = request.headers.get('referer');
  if (!referer || !URL.canParse(referer)) return fallback;
  const { origin: from, pathname, search } = new URL(referer);
  return from === origin ? pathname + search : fallback;
}

/** Whether the browser itself submitted the form and expects a page. */
export function wantsPage(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false;
}
