import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_CONTENT, isSafeUrl } from './allow-list.ts';
import { escapeHtml, unescapeHtml } from './html.ts';
import { removeComments } from './sanitise.ts';

export type Heading = { level: number; id: string; text: string };
export type ResolvedImage = { src: string; width?: number; height?: number };
export type ResolvedMention = { name: string; href?: string };
export type RenderOptions = {
  /** Where an image of the source is served; undefined leaves its alternative text. Without it no image is shown. */
  resolveImage?: (src: string) => string | ResolvedImage | undefined;
  /** Whom `{{<uuid>}}` (in lower case) names; undefined leaves the text as typed. Without it all mentions stay as typed. */
  resolveMention?: (userId: string) => ResolvedMention | undefined;
  /** Gives headings (`s-…`) and paragraphs (`p-1`, `p-2`…) an id. One such text a page. */
  headingAnchors?: boolean;
  /** Added to every heading's level, 6 being the last. */
  headingShift?: number;
  /** Takes the first level-1 heading out of the text and answers it as `title`. */
  liftTitle?: boolean;
  /** The name, in the reader's language, of the region a wide table scrolls in. */
  tableLabel?: string;
};
/** `html` is sanitised. `title` is there when `liftTitle` found one. */
export type RenderedMarkdown = { html: string; headings: Heading[]; title?: string };

const markdown = new MarkdownIt({ html: true, linkify: true });
markdown.validateLink = (url) => isSafeUrl(url, 'link');
// A bare `README.md` or `main.rs` is a file, not a country's domain.
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false });
markdown.linkify.add('ftp:', null).add('//', null);
markdown.linkify.add('www.', {
  validate: (text, at) =>
    /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/[^\s<>"'()]*[\p{L}\p{N}/])?/u.exec(text.slice(at, at + 2048))?.[0]
      .length ?? 0,
  normalize: (match) => {
    match.url = `https://${match.url}`;
  },
});
markdown.core.ruler.push('cell_align', (state) => {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    const align = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (align) token.attrs = [['align', align]];
  }
});

const sanitiseOptions: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: ALLOWED_ATTRIBUTES,
  allowedSchemes: ['https', 'http', 'mailto'],
  allowedSchemesByTag: { img: ['https', 'http'] },
  allowProtocolRelative: false,
  nonTextTags: DROPPED_WITH_CONTENT,
  nestingLimit: 100,
  transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs) }) },
};

const PLAIN_LINE = String.raw`\p{L}(?:[\p{L}\p{M}\p{N},.;!?'()’“”–—…-]| (?! |\n|$))*`;
/**
 * Lines that begin with a letter and have none of the characters that mean something in Markdown, HTML or an address: most
 * of what people write to each other.
 */
const PLAIN = new RegExp(String.raw`^${PLAIN_LINE}(?:\n+${PLAIN_LINE})*$`, 'u');
const LONGEST_PLAIN = 5_000;

/** What the long way makes of such lines, at a fiftieth of its cost; undefined for all else. */
function renderPlain(source: string): string | undefined {
  if (source.length > LONGEST_PLAIN || !PLAIN.test(source) || /www\./i.test(source)) return undefined;
  return `<p>${source.replace(/\n{2,}/g, '</p>\n<p>')}</p>\n`;
}

/** Renders CommonMark with tables, strikethrough and the HTML of our allow list; the answer is safe to show as it is. */
export function renderMarkdown(source: string, options?: RenderOptions): RenderedMarkdown {
  const plain = options === undefined ? renderPlain(source) : undefined;
  return plain === undefined ? renderAny(source, options ?? {}) : { html: plain, headings: [] };
}

function renderAny(source: string, options: RenderOptions): RenderedMarkdown {
  const rendered = markdown.render(removeComments(source.toWellFormed()));
  // Everything after this line writes only what it has escaped itself.
  const safe = sanitizeHtml(rendered, sanitiseOptions);
  const lifted = options.liftTitle ? liftTitle(safe) : { html: safe };
  const { html, headings } = anchorHeadings(dress(lifted.html, options), options);
  return lifted.title === undefined ? { html, headings } : { html, headings, title: lifted.title };
}

/** The syntax tree of a source, as it is rendered: a flat list of tokens, HTML of the source left as it was written. */
export function parseMarkdown(source: string): Token[] {
  return markdown.parse(source.toWellFormed(), {});
}

/** The readable text of a source, a line for each block, for search and snippets. Images leave their alternative text. */
export function markdownToPlainText(source: string): string {
  return textOf(dress(sanitizeHtml(markdown.render(removeComments(source.toWellFormed())), sanitiseOptions), {}));
}

/** How deep the elements of a rendered source stand in one another, for `MAX_DEPTH`; counted up to 100. */
export function nestingDepth(source: string): number {
  const html = sanitizeHtml(markdown.render(source), sanitiseOptions);
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    if (/^<(?:br|hr|img)\b/.test(tag)) continue;
    depth += tag.startsWith('</') ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const MENTION = String.raw`\{\{[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}\}`;
// Sanitised HTML has no `<` or `>` but those of its tags.
const TAG_OR_MENTION = new RegExp(String.raw`<(/?)([a-z0-9]+)((?: [^>]*)?)>|${MENTION}`, 'g');

/** Adds what readers need to sanitised HTML: link relations, reachable scrolling regions, images and names resolved. */
function dress(html: string, options: RenderOptions): string {
  const shift = options.headingShift ?? 0;
  const region = options.tableLabel ? ` role="region" aria-label="${escapeHtml(options.tableLabel)}"` : '';
  let paragraphs = 0;
  return html.replace(TAG_OR_MENTION, (match: string, slash: string, name: string, attributes: string) => {
    if (name === undefined) return mention(match, options);
    switch (name) {
      case 'a':
        return slash ? match : `<a${attributes} rel="nofollow ugc noopener">`;
      case 'img':
        return image(attributes, options);
      case 'p':
        return slash || !options.headingAnchors ? match : `<p${attributes} id="p-${++paragraphs}">`;
      case 'table':
        return slash ? '</table></div>' : `<div class="table-scroll" tabindex="0"${region}><table${attributes}>`;
      case 'pre':
        return slash ? match : `<pre${attributes} tabindex="0">`;
      case 'aside':
        // Inside an article `aside` would be a landmark without a name.
        return slash ? '</div>' : `<div class="aside" role="note"${attributes}>`;
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
        return `<${slash}h${Math.min(6, Number(name[1]) + shift)}${attributes}>`;
      default:
        return match;
    }
  });
}

function image(attributes: string, options: RenderOptions): string {
  const alt = attribute(attributes, 'alt') ?? '';
  const src = attribute(attributes, 'src');
  const resolved = src === undefined ? undefined : options.resolveImage?.(unescapeHtml(src));
  if (resolved === undefined) return alt;
  const target = typeof resolved === 'string' ? { src: resolved } : resolved;
  let tag = `<img src="${escapeHtml(target.src)}" alt="${alt}"`;
  for (const name of ['title', 'lang', 'dir'] as const) {
    const value = attribute(attributes, name);
    if (value !== undefined) tag += ` ${name}="${value}"`;
  }
  for (const name of ['width', 'height'] as const) {
    const value = target[name] ?? attribute(attributes, name);
    if (value !== undefined) tag += ` ${name}="${value}"`;
  }
  return `${tag} loading="lazy">`;
}

/** The value as it stands in sanitised HTML, still escaped. */
function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
}

function mention(match: string, options: RenderOptions): string {
  const person = options.resolveMention?.(match.slice(2, -2).toLowerCase());
  if (!person) return match;
  const name = `@${escapeHtml(person.name)}`;
  // `bdi`: a name in another script must not turn the words around it.
  return person.href
    ? `<a class="mention" href="${escapeHtml(person.href)}"><bdi>${name}</bdi></a>`
    : `<bdi class="mention">${name}</bdi>`;
}

function liftTitle(html: string): { html: string; title?: string } {
  const match = /<h1(?: [^>]*)?>([\s\S]*?)<\/h1>\n?/.exec(html);
  if (!match) return { html };
  return { html: html.slice(0, match.index) + html.slice(match.index + match[0].length), title: textOf(match[1]!) }; // the group always matches
}

function anchorHeadings(html: string, options: RenderOptions): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const anchored = html.replace(
    /<h([1-6])((?: [^>]*)?)>([\s\S]*?)<\/h\1>/g,
    (match: string, level: string, attributes: string, content: string) => {
      const text = textOf(content);
      const id = uniqueId(slugOf(text), ids);
      headings.push({ level: Number(level), id, text });
      return options.headingAnchors
        ? `<h${level}${attributes} id="${id}">${match.slice(match.indexOf('>') + 1)}`
        : match;
    },
  );
  if (!options.headingAnchors || !anchored.includes(' href="#')) return { html: anchored, headings };
  const linked = anchored.replace(/ href="#([^"]+)"/g, (match: string, target: string) => {
    const id = slugOf(decodeFragment(unescapeHtml(target)));
    return ids.has(id) ? ` href="#${id}"` : match;
  });
  return { html: linked, headings };
}

/** Prefixed, so that no heading of a text can take the id of a part of the page. */
function slugOf(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `s-${[...slug].slice(0, 80).join('') || 'section'}`;
}

/** `taken` counts how often an id was asked for, so that thousands of like headings stay cheap. */
function uniqueId(id: string, taken: Map<string, number>): string {
  let unique = id;
  let number = taken.get(id) ?? 0;
  while (taken.has(unique)) unique = `${id}-${++number + 1}`;
  taken.set(id, number);
  if (unique !== id) taken.set(unique, 0);
  return unique;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function textOf(safeHtml: string): string {
  return unescapeHtml(
    safeHtml
      .replace(/<(?:br|hr|\/(?:p|h[1-6]|li|tr|pre|div|blockquote))(?: [^>]*)?>/g, '\n')
      .replace(/(?:<\/t[dh]>|<tr>)\s*/g, ' ')
      .replace(/<[^>]*>/g, ''),
  )
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}
