import { ownPath } from '#server/areas/auth/redirect.policy.ts';

/** Is this the address of a file of ours? A page or call of ours, which a query could make do something, is not. */
export function isOwnPicture(address: string, publicUrl: string): boolean {
  const path = ownPath(address, publicUrl);
  return path !== undefined && !/[?#]/.test(address) && path !== '/' && !path.startsWith('/api/auth/');
}
