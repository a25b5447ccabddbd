import type { LinkPreview } from '@officium/contract/assets';
import { Parser } from 'htmlparser2';
import type { z } from 'zod';
import { isFetchable } from '#server/outside/public-address.ts';

export type Preview = z.output<typeof LinkPreview>;
type Image = NonNullable<Preview['image']>;

/** The depth limit of browsers. The parser's time grows with the square of the depth, so it is fed in pieces. */
const MAX_DEPTH = 512;
const PIECE = 16_384;

type Found = { title?: string; base?: string; metas: [name: string, content: string][] };

/** Reads title, base and meta tags until the nesting is too deep. Ignores titles inside SVG and MathML. */
function readHead(html: string): Found {
  const found: Found = { metas: [] };
  let depth = 0;
  let drawings = 0;
  let title: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (name === 'svg' || name === 'math') drawings += 1;
      else if (name === 'title' && drawings === 0 && found.title === undefined) title = '';
      else if (name === 'base') found.base ??= attributes['href'];
      else if (name === 'meta') {
        const key = (attributes['property'] ?? attributes['name'])?.trim().toLowerCase();
        if (key && attributes['content'] !== undefined) found.metas.push([key, attributes['content']]);
      }
    },
    ontext(text) {
      if (title !== undefined) title += text;
    },
    onclosetag(name) {
      depth -= 1;
      if (name === 'svg' || name === 'math') drawings -= 1;
      if (name === 'title' && title !== undefined) {
        found.title = title;
        title = undefined;
      }
    },
  });
  for (let at = 0; at < html.length && depth <= MAX_DEPTH; at += PIECE) parser.write(html.slice(at, at + PIECE));
  if (depth <= MAX_DEPTH) parser.end();
  return found;
}

/** Cleans a text to one line without invisible characters and cuts it to `max` code points. */
function line(text: string | undefined, max: number): string | undefined {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .trim();
  if (clean === '') return undefined;
  const points = [...clean];
  return points.length <= max ? clean : `${points.slice(0, max - 1).join('')}…`;
}

function pixels(text: string | undefined): number | undefined {
  const value = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text ?? '')?.[1];
  return value === undefined || Number(value) === 0 ? undefined : Number(value);
}

type Context = { base: URL; allow: readonly string[] };

/** A picture address that a browser may load: public, and no SVG, which can contain scripts. */
function pictureAddress(address: string, { base, allow }: Context): string | undefined {
  const url = URL.parse(address.trim(), base.href);
  if (!url || url.href.length > 2048 || !isFetchable(url, allow) || /\.svgz?$/i.test(url.pathname)) return undefined;
  return url.href;
}

/** The first usable picture with the properties that follow it, up to the next picture. */
function firstImage(metas: Found['metas'], family: 'og:image' | 'twitter:image', context: Context): Image | undefined {
  let image: Image | undefined;
  for (const [key, content] of metas) {
    if (key === family || key === `${family}:url` || key === `${family}:src` || key === `${family}:secure_url`) {
      const src = pictureAddress(content, context);
      if (image && key === family && src !== image.src) return image;
      if (src !== undefined) image ??= { src };
    } else if (image && key === `${family}:width`) image.width ??= pixels(content);
    else if (image && key === `${family}:height`) image.height ??= pixels(content);
    else if (image && key === `${family}:alt`) image.alt ??= line(content, 500);
  }
  return image;
}

/** The preview of a page, with the host as title if there is none. Undefined if the page has no metadata. */
export function toPreview(page: { url: URL; html: string }, allow: readonly string[]): Preview | undefined {
  const { metas, ...head } = readHead(page.html);
  const first = (...keys: string[]) =>
    keys
      .flatMap((key) => metas.filter(([name]) => name === key).map(([, content]) => content))
      .find((text) => line(text, 1));
  const named = URL.parse(head.base ?? '', page.url.href);
  const base = named && /^https?:$/.test(named.protocol) ? named : page.url;
  const context = { base, allow };

  const title = line(first('og:title', 'twitter:title') ?? head.title, 300);
  const description = line(first('og:description', 'twitter:description', 'description'), 1000);
  const image = firstImage(metas, 'og:image', context) ?? firstImage(metas, 'twitter:image', context);
  if (title === undefined && description === undefined && image === undefined) return undefined;
  return {
    url: page.url.href,
    title: title ?? line(first('og:site_name'), 300) ?? page.url.hostname,
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { image }),
  };
}
