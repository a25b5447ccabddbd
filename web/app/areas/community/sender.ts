/** The page a form stood on, to go back to when there is no script. */
export function pageBefore(request: Request, origin: string, fallback: string): string {
  const referer = request.headers.get('referer');
  if (!referer || !URL.canParse(referer)) return fallback;
  const { origin: from, pathname, search } = new URL(referer);
  return from === origin ? pathname + search : fallback;
}

/** Whether a form was sent by the browser itself and expects a page, not by our script. */
export function wantsPage(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false;
}
