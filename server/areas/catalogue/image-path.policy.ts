import { posix } from 'node:path';

/**
 * The places in a content folder an image of a body may stand, the likeliest first: beside the body, then from the root
 * (only there for a leading `/`). Empty for an address outside the folder.
 */
export function imageCandidates(src: string, bodyFile: string): string[] {
  const path = decoded(src.replace(/[?#].*$/s, ''));
  if (path === undefined || path === '' || /^[a-z][a-z0-9+.-]*:|^\/\/|[\\\0]/i.test(path)) return [];
  const places = path.startsWith('/') ? [path.slice(1)] : [posix.join(posix.dirname(bodyFile), path), path];
  return [...new Set(places.map((place) => posix.normalize(place)))].filter(isInside);
}

/** The path of the image in the folder, or undefined when the folder has none for this address. */
export function resolveImagePath(src: string, bodyFile: string, has: (path: string) => boolean): string | undefined {
  return imageCandidates(src, bodyFile).find(has);
}

/** Whether a path, taken from the folder's root, stays in the folder by its letters. Links are for the reader to follow. */
export function isInside(path: string): boolean {
  if (path === '' || /^[/\\]|^[a-z]:|[\\\0]/i.test(path)) return false;
  const normal = posix.normalize(path);
  return !['.', './', '..'].includes(normal) && !normal.startsWith('../');
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
