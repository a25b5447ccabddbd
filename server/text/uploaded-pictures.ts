import type { RenderOptions } from './markdown.ts';

type Shown = Required<Pick<RenderOptions, 'resolveImage'>>;

/** Reads the pictures in texts whose addresses are `folder` and an id, as `/post-pictures/<id>`. */
export function uploadedPictures(folder: string) {
  const ADDRESS = `${folder}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`;
  const WHOLE = new RegExp(`^${ADDRESS}$`);
  const IN_HTML = new RegExp(`<img src="${ADDRESS}"`, 'g');
  const SIZED = new RegExp(`<img src="(${ADDRESS})"[^>]*? width="(\\d+)" height="(\\d+)"`, 'g');

  /** The id in the address of an uploaded picture. */
  const idOf = (address: string): string | undefined => WHOLE.exec(address)?.[1];

  /** The ids of the uploaded pictures in a rendered text, each once. */
  const idsIn = (html: string | null): string[] => {
    if (html === null || !html.includes(folder)) return [];
    return [...new Set(Array.from(html.matchAll(IN_HTML), ([, id = '']) => id))];
  };

  /** How another version of a rendered text, as its translation, shows the pictures in it. */
  const sameAs = (html: string | null): Shown | undefined => {
    if (idsIn(html).length === 0) return undefined;
    const shown = new Map(
      Array.from(html?.matchAll(SIZED) ?? [], ([, src = '', , width, height]) => [
        src,
        { src, width: Number(width), height: Number(height) },
      ]),
    );
    return { resolveImage: (src) => shown.get(src) };
  };

  return { idOf, idsIn, sameAs };
}
