import { ownPath } from '#server/areas/auth/redirect.policy.ts';

const ELSEWHERE = /^https:\/\/[^\s/\\@?#]+(?:[/?][^\s\\]*)?$/i;

/**
 * May this address stand as somebody's picture? A file of ours, or one kept elsewhere over https. A page or call of
 * ours, which a query could make do something, may not.
 */
export function isPictureAddress(address: string, publicUrl: string): boolean {
  const path = ownPath(address, publicUrl);
  if (path !== undefined) return !/[?#]/.test(address) && path !== '/' && !path.startsWith('/api/auth/');
  return ELSEWHERE.test(address) && ![undefined, new URL(publicUrl).origin].includes(URL.parse(address)?.origin);
}
