/** Longest edge of a stored picture, by use. */
export const EDGES = { face: 256, whole: 1600 } as const;
export type PictureUse = keyof typeof EDGES;

/** Keyed hash of a text with the installation's key, separated by purpose. */
export type Hash = (text: string, purpose: string) => Buffer;

export const OUTSIDE_PICTURES = '/files/elsewhere';

const MAX_ADDRESS = 2048;

/** Name of a stored picture. It is keyed, so that only addresses written by our pages can be fetched. */
function nameOf(hash: Hash, address: string, use: PictureUse): string {
  return `${use}-${hash(address, `outside-picture ${use}`).toString('hex').slice(0, 32)}`;
}

/** The path on this site that serves an outside picture. Addresses without a host stay unchanged. */
export function shownAddress(hash: Hash, publicUrl: string, given: string, use: PictureUse): string {
  const url = /^(?:https?:)?\/\//i.test(given) ? URL.parse(given, publicUrl) : null;
  if (!url) return given;
  url.hash = '';
  if (url.origin === new URL(publicUrl).origin) {
    const path = url.pathname + url.search;
    return path.startsWith('//') ? url.href : path; // a browser would read `//cdn.example` as a host
  }
  const { href } = url;
  return `${OUTSIDE_PICTURES}/${nameOf(hash, href, use)}/${Buffer.from(href).toString('base64url')}`;
}

export type OutsidePicture = { name: string; url: URL; edge: number };

/** Parses a picture path. Undefined unless our pages wrote it. */
export function readPath(hash: Hash, path: { name: string; address: string }): OutsidePicture | undefined {
  const use = (Object.keys(EDGES) as PictureUse[]).find((one) => path.name.startsWith(`${one}-`)); // Object.keys loses the type
  if (!use || !/^[A-Za-z0-9_-]+$/.test(path.address)) return undefined;
  const address = Buffer.from(path.address, 'base64url').toString();
  const url = address.length <= MAX_ADDRESS ? URL.parse(address) : null;
  return url && nameOf(hash, address, use) === path.name ? { name: path.name, url, edge: EDGES[use] } : undefined;
}

/** File key of a stored picture. */
export function fileKey(name: string): string {
  return `elsewhere/${name}.webp`;
}
