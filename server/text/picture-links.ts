/**
 * Pictures as they are written: `![…](address)` and `<img src=…>`. Both parts before the address are bounded, because a
 * text may open thousands of them without an end.
 */
const PICTURE = /(!\[[^\]]{0,500}\]\(\s{0,20}<?)([^)\s>]+)|<img[^>]{0,500}?\ssrc=["']?([^"'\s>]+)/g;

/** The addresses of the pictures in a Markdown text, as written. */
export function pictureAddresses(markdown: string): string[] {
  return [...markdown.matchAll(PICTURE)].map(([, , inMarkdown, inHtml]) => inMarkdown ?? inHtml ?? '');
}

/** Replaces the addresses of pictures in Markdown; those in HTML stay. */
export function replacePictures(markdown: string, addressOf: (written: string) => string): string {
  return markdown.replace(PICTURE, (whole, start: string | undefined, written: string | undefined) =>
    start === undefined || written === undefined ? whole : `${start}${addressOf(written)}`,
  );
}
