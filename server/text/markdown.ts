import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS, cleanAttributes, DROPPED_WITH_CONTENT, isSafeUrl } from './allow-list.ts';
import type { BlockOptions, BlockSet } from './blocks/block.ts';
import { addBlockRule, type BlockEnv } from './blocks/block-rule.ts';
import { renderBlocks } from './blocks/render-blocks.ts';
import { escapeHtml, unescapeHtml } from './html.ts';
import { addRules, markTasks, type TaskLabels } from './markdown-rules.ts';
import { linkMedia } from './media-links.ts';
import { removeComments } from './sanitise.ts';

export type Heading = { level: number; id: string; text: string };
export type ResolvedImage = { src: string; width?: number; height?: number };
export type ResolvedMention = { name: string; href?: string };
export type RenderOptions = BlockOptions & {
  /** The blocks that a text may use. Without this option, lines of colons stay as typed, as in posts and replies. */
  blocks?: BlockSet;
  /**
   * Returns the served URL of an image; undefined leaves its alternative text. Without this option no image is shown.
   */
  resolveImage?: (src: string) => string | ResolvedImage | undefined;
  /** Resolves `{{<uuid>}}` (lower case) to a person; undefined leaves it as typed, as does omitting this option. */
  resolveMention?: (userId: string) => ResolvedMention | undefined;
  /** Adds ids to headings (`s-…`) and paragraphs (`p-1`, `p-2`…). Use it for one text per page. */
  headingAnchors?: boolean;
  /** Added to the level of every heading, up to level 6. */
  headingShift?: number;
  /** Removes the first level-1 heading from the text and returns it as `title`. */
  liftTitle?: boolean;
  /** Label of the scrolling region around a wide table, in the language of the text. */
  tableLabel?: string;
  /** Names of the marks of task lists, in the language of the text. */
  taskLabels?: TaskLabels;
};
/** `html` is sanitised. `title` is set when `liftTitle` found one. */
export type RenderedMarkdown = { html: string; headings: Heading[]; title?: string };

const markdown = new MarkdownIt({ html: true, linkify: true });
markdown.validateLink = (url) => isSafeUrl(url, 'link');
// A bare `README.md` or `main.rs` is a file name, not a country domain.
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
addRules(markdown);
addBlockRule(markdown);
// A definition is written once and its address is shown at each use: a thousand uses of a long one would make megabytes
// of a short text. Uses beyond this many characters stay as typed, as in cmark.
const REFERENCE_BUDGET = 100_000;
markdown.core.ruler.after('block', 'reference_budget', (state) => {
  const { references: definitions } = state.env;
  if (definitions === undefined) return;
  let left = Math.max(REFERENCE_BUDGET, state.src.length);
  state.env.references = new Proxy(definitions, {
    get(target, label: string) {
      const definition = target[label];
      left -= definition ? definition.href.length + definition.title.length : 0;
      return left < 0 ? undefined : definition;
    },
  });
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
 * Matches lines that begin with a letter and contain no character special to Markdown, HTML or URLs, which is most of
 * what users write to each other.
 */
const PLAIN = new RegExp(String.raw`^${PLAIN_LINE}(?:\n+${PLAIN_LINE})*$`, 'u');
const LONGEST_PLAIN = 5_000;

/** Renders plain text exactly as the full renderer would, at 2 % of the cost. Undefined for any other text. */
function renderPlain(source: string): string | undefined {
  if (source.length > LONGEST_PLAIN || !PLAIN.test(source) || /www\./i.test(source)) return undefined;
  return `<p>${source.replace(/\n{2,}/g, '</p>\n<p>')}</p>\n`;
}

/** Renders CommonMark with tables, strikethrough and allow-listed HTML. The result is safe to insert into a page. */
export function renderMarkdown(source: string, options?: RenderOptions): RenderedMarkdown {
  const plain = options === undefined ? renderPlain(source) : undefined;
  return plain === undefined ? renderFull(source, options ?? {}) : { html: plain, headings: [] };
}

function renderFull(source: string, options: RenderOptions): RenderedMarkdown {
  // The code after this line must escape everything it inserts.
  const safe = toSafeHtml(removeComments(source.toWellFormed()), options);
  const lifted = options.liftTitle ? liftTitle(safe) : { html: safe };
  const { html, headings } = anchorHeadings(finishHtml(lifted.html, options), options);
  return lifted.title === undefined ? { html, headings } : { html, headings, title: lifted.title };
}

/** Finishes sanitised HTML for a page: images, mentions, link relations and the names of marks. */
export function finishHtml(safe: string, options: RenderOptions): string {
  return markTasks(decorate(safe, options), options.taskLabels);
}

/** Returns the syntax tree that rendering uses: a flat list of tokens, with the HTML of the source unchanged. */
export function parseMarkdown(source: string, env: BlockEnv = {}): Token[] {
  return markdown.parse(source.toWellFormed(), env);
}

/** Extracts the readable text, one line per block, for search and snippets. Images leave their alternative text. */
export function markdownToPlainText(source: string, options: RenderOptions = {}): string {
  return textOf(decorate(toSafeHtml(removeComments(source.toWellFormed()), options), {}));
}

function toSafeHtml(source: string, options: RenderOptions): string {
  const env: BlockEnv = { blocks: options.blocks };
  const renderSafely = (tokens: Token[]) =>
    sanitizeHtml(linkMedia(markdown.renderer.render(tokens, markdown.options, env)), sanitiseOptions);
  return renderBlocks(markdown.parse(source, env), renderSafely, options);
}

/** Returns the nesting depth of the rendered elements, up to 100. Compare it with `MAX_DEPTH`. */
export function nestingDepth(source: string, options: RenderOptions = {}): number {
  const html = toSafeHtml(source, options);
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
// In sanitised HTML, `<` and `>` occur only in tags.
const TAG_OR_MENTION = new RegExp(String.raw`<(/?)([a-z0-9]+)((?: [^>]*)?)>|${MENTION}`, 'g');

/** Adds link relations, focusable scrolling regions, images and mentioned names to sanitised HTML. */
function decorate(html: string, options: RenderOptions): string {
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
        // Inside an article, `aside` would be an unnamed landmark.
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

/** Returns the attribute value as written in sanitised HTML, still escaped. */
function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
}

function mention(match: string, options: RenderOptions): string {
  const person = options.resolveMention?.(match.slice(2, -2).toLowerCase());
  if (!person) return match;
  const name = `@${escapeHtml(person.name)}`;
  // `bdi` keeps a name in another script from reordering the words around it.
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

/** The prefix keeps headings from taking the id of another part of the page. */
function slugOf(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `s-${[...slug].slice(0, 80).join('') || 'section'}`;
}

/** `taken` counts the requests for each id, so that thousands of identical headings stay cheap. */
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
      .replace(/<(?:br|hr|\/(?:p|h[1-6]|li|tr|pre|div|blockquote|summary|details|legend|label))(?: [^>]*)?>/g, '\n')
      .replace(/(?:<\/t[dh]>|<tr>)\s*/g, ' ')
      .replace(/<[^>]*>/g, ''),
  )
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}
