import { ownPath } from '#server/areas/auth/redirect.policy.ts';

const ELSEWHERE = /^https:\/\/[^\s/\\@?#]+(?:[/?][^\s\\]*)?$/i;

/**
 * True for an address allowed as a profile picture: a file of this site or an https address elsewhere. Pages and API
 * calls of this site are not allowed, because loading them could have side effects.
 */
export function isPictureAddress(address: string, publicUrl: string): boolean {
  const path = ownPath(address, publicUrl);
  if (path !== undefined) return !/[?#]/.test(address) && path !== '/' && !path.startsWith('/api/auth/');
  return ELSEWHERE.test(address) && ![undefined, new URL(publicUrl).origin].includes(URL.parse(address)?.origin);
}

/** Edge lengths of the stored squares: full picture and thumbnail. */
export const PICTURE_EDGES = [512, 128] as const;
type Edge = (typeof PICTURE_EDGES)[number];

/** Path under which profile pictures are served. */
export const PICTURES = '/files/profiles';

export function fileKey(id: string, edge: Edge): string {
  return `profiles/${id}-${edge}.webp`;
}

export function pictureAddress(publicUrl: string, id: string, edge: Edge): string {
  return `${publicUrl}${PICTURES}/${id}-${edge}.webp`;
}

/** File key for a public file name. Undefined for any other name. */
export function fileKeyOf(name: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-(?:512|128)\.webp$/.test(name) ? `profiles/${name}` : undefined;
}
