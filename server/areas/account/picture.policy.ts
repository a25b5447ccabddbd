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

/** Edges of the squares a picture is kept as: the full one and the thumbnail. */
export const PICTURE_EDGES = [512, 128] as const;
type Edge = (typeof PICTURE_EDGES)[number];

/** The path of a picture of ours, and its key among the files. */
export const PICTURES = '/files/profiles';

export function fileKey(id: string, edge: Edge): string {
  return `profiles/${id}-${edge}.webp`;
}

export function pictureAddress(publicUrl: string, id: string, edge: Edge): string {
  return `${publicUrl}${PICTURES}/${id}-${edge}.webp`;
}

/** The key of a file by its public name; undefined for what is no name of ours. */
export function fileKeyOf(name: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-(?:512|128)\.webp$/.test(name) ? `profiles/${name}` : undefined;
}
