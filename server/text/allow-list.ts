/** Raised with every change of this file, so that stored renderings can be told from current ones. */
export const ALLOW_LIST_VERSION = 1;

/** The longest source, in UTF-8 bytes, and the deepest nesting a caller lets in. */
export const MAX_SOURCE_BYTES = 64 * 1024;
export const MAX_DEPTH = 32;

/** `section` and `div` fall (their text stays): without a name they say nothing. `span` carries lang and dir. */
export const ALLOWED_TAGS = [
  ...words('h1 h2 h3 h4 h5 h6 p br hr blockquote pre aside ul ol li table thead tbody tr th td'),
  ...words('a img strong b em i u s strike del sup sub code span'),
];
const allowedTags = new Set(ALLOWED_TAGS);

export const VOID_TAGS = new Set(['br', 'hr', 'img']);

/** Not the tag alone but all it holds goes: what is inside is no text for readers. */
export const DROPPED_WITH_CONTENT = [
  ...words('script style template noscript iframe object embed applet svg math xmp plaintext noembed noframes'),
  ...words('textarea title option audio video canvas frameset'),
];

const LINK_SCHEMES = new Set(['https', 'http', 'mailto']);
const IMAGE_SCHEMES = new Set(['https', 'http']);

const isSize = (value: string) => /^\d{1,4}$/.test(value);
const isText = () => true;

type Check = (value: string) => boolean;
const checks: Record<string, Record<string, Check>> = {
  '*': {
    lang: (value) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(value),
    dir: (value) => /^(ltr|rtl|auto)$/.test(value),
    title: isText,
  },
  a: { href: (value) => isSafeUrl(value, 'link') },
  img: { src: (value) => isSafeUrl(value, 'image'), alt: isText, width: isSize, height: isSize },
  // `start` is what CommonMark itself writes for a list that begins at 3.
  ol: { start: isSize },
  th: { align: (value) => /^(left|right|center)$/.test(value), colspan: isSize, rowspan: isSize },
  td: { align: (value) => /^(left|right|center)$/.test(value), colspan: isSize, rowspan: isSize },
};

/** Attribute names by tag, `*` for all, as sanitize-html wants them. */
export const ALLOWED_ATTRIBUTES: Record<string, string[]> = Object.fromEntries(
  Object.entries(checks).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
);

export function isAllowedTag(name: string): boolean {
  return allowedTags.has(name);
}

// What browsers skip or a reader cannot see: it must neither hide a scheme nor be kept in an address.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

/** Whether an address (entities already decoded) is relative to this site or has one of our schemes. */
export function isSafeUrl(value: string, kind: 'link' | 'image'): boolean {
  const url = value.replace(INVISIBLE, '');
  // Browsers read `\` as `/`; `//host` would borrow our scheme and look like a path of ours.
  if (/^[\\/]{2}/.test(url)) return false;
  const scheme = /^([^/?#\\:]*):/.exec(url);
  if (!scheme) return true;
  return (kind === 'link' ? LINK_SCHEMES : IMAGE_SCHEMES).has(scheme[1]!.toLowerCase()); // the group always matches
}

/** The attributes of one tag that may stay, in a fixed order, values trimmed and on one line. */
export function cleanAttributes(tag: string, attributes: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const group of [checks[tag], checks['*']]) {
    for (const name in group) {
      const raw = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (raw === undefined) continue;
      // oxlint-disable-next-line no-control-regex
      const value = raw.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
      if (group[name]!(value)) kept[name] = value; // name comes from the group itself
    }
  }
  return kept;
}

function words(list: string): string[] {
  return list.split(' ');
}
