/** A field of a form as text; absent is empty. */
export function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

/** A field that may be left empty: undefined then. */
export function optionalOf(fields: FormData, name: string): string | undefined {
  return textOf(fields, name).trim() || undefined;
}

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
