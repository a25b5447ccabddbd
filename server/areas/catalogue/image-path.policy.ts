import { posix } from 'node:path';

/**
 * Returns candidate paths for an image, most likely first: relative to the body file, then to the folder's root (only
 * the root for a leading `/`). Empty for a URL outside the folder.
 */
export function imageCandidates(src: string, bodyFile: string): string[] {
  const path = decoded(src.replace(/[?#].*$/s, ''));
  if (path === undefined || path === '' || /^[a-z][a-z0-9+.-]*:|^\/\/|[\\\0]/i.test(path)) return [];
  const paths = path.startsWith('/') ? [path.slice(1)] : [posix.join(posix.dirname(bodyFile), path), path];
  return [...new Set(paths.map((candidate) => posix.normalize(candidate)))].filter(isInside);
}

/** Returns the path of an image in the folder; undefined when the folder does not contain it. */
export function resolveImagePath(src: string, bodyFile: string, has: (path: string) => boolean): string | undefined {
  return imageCandidates(src, bodyFile).find(has);
}

/** Checks lexically that a path from the folder's root stays in the folder. Symbolic links are checked elsewhere. */
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
