const COOKIE = 'provider-attempt';

/** What the browser keeps of a sign-in by the organisation, until its person is back; an empty one ends it. */
export function attemptCookie(attempt: string, origin: string): string {
  const age = attempt === '' ? 0 : 600;
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${encodeURIComponent(attempt)}; Path=/login/provider; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

export function attemptIn(cookies: Record<string, string | undefined>): string {
  return cookies[COOKIE] ?? '';
}
