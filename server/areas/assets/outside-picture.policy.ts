/** The longest edge a picture of another host is kept with, by what it is shown as. */
export const EDGES = { face: 256, whole: 1600 } as const;
export type PictureUse = keyof typeof EDGES;

/** Hashes a text under the key of the installation, for one purpose. */
export type Hash = (text: string, purpose: string) => Buffer;

export const OUTSIDE_PICTURES = '/files/elsewhere';

const MAX_ADDRESS = 2048;

/** The name a picture is kept under; nobody else can make one, so nobody has us fetch what no page of ours shows. */
function nameOf(hash: Hash, address: string, use: PictureUse): string {
  return `${use}-${hash(address, `outside-picture ${use}`).toString('hex').slice(0, 32)}`;
}

/** The path of ours that serves a picture from any host; an address without a host stays as it is. */
export function shownAddress(hash: Hash, publicUrl: string, given: string, use: PictureUse): string {
  const url = /^(?:https?:)?\/\//i.test(given) ? URL.parse(given, publicUrl) : null;
  if (!url) return given;
  url.hash = '';
  if (url.origin === new URL(publicUrl).origin) {
    const path = url.pathname + url.search;
    return path.startsWith('//') ? url.href : path; // a browser would take `//cdn.example` for a host
  }
  const { href } = url;
  return `${OUTSIDE_PICTURES}/${nameOf(hash, href, use)}/${Buffer.from(href).toString('base64url')}`;
}

export type OutsidePicture = { name: string; url: URL; edge: number };

/** The picture a path names; undefined for what we have not written. */
export function readPath(hash: Hash, path: { name: string; address: string }): OutsidePicture | undefined {
  const use = (Object.keys(EDGES) as PictureUse[]).find((one) => path.name.startsWith(`${one}-`)); // the keys are its uses
  if (!use || !/^[A-Za-z0-9_-]+$/.test(path.address)) return undefined;
  const address = Buffer.from(path.address, 'base64url').toString();
  const url = address.length <= MAX_ADDRESS ? URL.parse(address) : null;
  return url && nameOf(hash, address, use) === path.name ? { name: path.name, url, edge: EDGES[use] } : undefined;
}

/** Its key among the files. */
export function fileKey(name: string): string {
  return `elsewhere/${name}.webp`;
}
