/** Increment on every change to this file, so that outdated stored renderings can be detected. */
export const ALLOW_LIST_VERSION = 2;

/** Limits that callers enforce on a source: its length in UTF-8 bytes and its nesting depth. */
export const MAX_SOURCE_BYTES = 64 * 1024;
export const MAX_DEPTH = 32;

/**
 * `section` and `div` are removed and their text stays: unnamed, they carry no meaning. `span` carries lang and dir.
 */
export const ALLOWED_TAGS = [
  ...words('h1 h2 h3 h4 h5 h6 p br hr blockquote pre aside ul ol li table thead tbody tr th td details summary'),
  ...words('a img strong b em i u s strike del sup sub code span'),
];
const allowedTags = new Set(ALLOWED_TAGS);

export const VOID_TAGS = new Set(['br', 'hr', 'img']);

/** Elements that are removed together with their content, which is not readable text. */
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
  // The renderer marks formulas with it.
  code: { class: (value) => value === 'math' },
  img: { src: (value) => isSafeUrl(value, 'image'), alt: isText, width: isSize, height: isSize },
  // CommonMark itself writes `start` for a list that does not begin at 1.
  ol: { start: isSize },
  th: { align: (value) => /^(left|right|center)$/.test(value), colspan: isSize, rowspan: isSize },
  td: { align: (value) => /^(left|right|center)$/.test(value), colspan: isSize, rowspan: isSize },
};

/** Attribute names by tag (`*` for every tag), in the form sanitize-html expects. */
export const ALLOWED_ATTRIBUTES: Record<string, string[]> = Object.fromEntries(
  Object.entries(checks).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
);

export function isAllowedTag(name: string): boolean {
  return allowedTags.has(name);
}

// Characters that browsers skip or users cannot see. They must neither hide a scheme nor stay in a URL.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

/** Checks that a URL (entities already decoded) is relative to this site or has an allowed scheme. */
export function isSafeUrl(value: string, kind: 'link' | 'image'): boolean {
  const url = value.replace(INVISIBLE, '');
  // Browsers read `\` as `/`, and `//host` looks like a local path but leads to another site.
  if (/^[\\/]{2}/.test(url)) return false;
  const scheme = /^([^/?#\\:]*):/.exec(url);
  if (!scheme) return true;
  return (kind === 'link' ? LINK_SCHEMES : IMAGE_SCHEMES).has(scheme[1]!.toLowerCase()); // the group always matches
}

/** Returns the allowed attributes of a tag in a fixed order, with values trimmed and on one line. */
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
