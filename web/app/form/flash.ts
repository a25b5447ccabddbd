import type { MessageKey } from '../message-keys.ts';
import { redirect } from '../server/redirect.ts';

export type Flash = { key: string; values?: Record<string, string | number>; tone?: 'success' | 'info' | 'danger' };

const COOKIE = 'flash';

/** Redirects and shows a message once on the target page: `return redirectWith('/me', { key: 'account.saved' })`. */
export function redirectWith(to: string, flash: Omit<Flash, 'key'> & { key: MessageKey }): Response {
  const value = encodeURIComponent(JSON.stringify(flash));
  return redirect(to, {
    headers: { 'set-cookie': `${COOKIE}=${value}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax` },
  });
}

/** The message in the visitor's cookie. The root shows it only if its key is one of our messages. */
export function readFlash(cookie: string | undefined): Flash | null {
  if (!cookie) return null;
  try {
    const { key, values, tone } = JSON.parse(cookie) as Partial<Flash>;
    return typeof key === 'string'
      ? { key, values: plain(values), tone: tone === 'danger' || tone === 'info' ? tone : 'success' }
      : null;
  } catch {
    return null;
  }
}

export const CLEAR_FLASH = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

function plain(values: unknown): Record<string, string | number> {
  if (typeof values !== 'object' || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}
