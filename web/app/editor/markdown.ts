import type { Node, Schema } from '@tiptap/pm/model';
import MarkdownIt, { type MarkdownIt as Tokenizer, type Token } from 'markdown-it';
import { MarkdownParser, MarkdownSerializer, type ParseSpec } from 'prosemirror-markdown';
import { PICTURE_PATH } from './picture-path.ts';

/** Names of mentioned users, by id. */
export type Names = Readonly<Record<string, string>>;

/** A text opened in the editor: its document, and the source of each block. */
export type Opened = { doc: Node; blocks: string[] };

const MENTION = /\{\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}\}/iy;
const ADDRESS = /https?:\/\/[^\s<>()[\]*`\\]*[\p{L}\p{N}/]/gu;

const BARE = /^https?:\/\/[^\s<>()[\]*`\\]*[A-Za-z\d/]$/;
/** Text that would start a list, a heading, a quotation or a block. */
const LINE_START = /^(?:(\d{1,9})[.)](?=\s|$)|[-+>#=]|:(?=:))/;

/** The server's Markdown dialect (server/text/markdown.ts), so that a text means the same in both places. */
export function createTokenizer(): Tokenizer {
  const made = new MarkdownIt({ html: true, linkify: true });
  made.linkify.set({ fuzzyLink: false });
  made.inline.ruler.before('link', 'mention', (state, silent) => {
    MENTION.lastIndex = state.pos;
    const match = MENTION.exec(state.src);
    if (!match) return false;
    if (!silent) state.push('mention', '', 0).content = match[1]!.toLowerCase(); // the group always matches
    state.pos += match[0].length;
    return true;
  });
  made.renderer.rules['mention'] = (tokens, index) => `{{${tokens[index]?.content}}}`;
  return made;
}
const tokenizer = createTokenizer();

/** The tokens that posts, lessons and articles share. */
export const TOKENS = (() => {
  const list = (block: string): ParseSpec => ({
    block,
    getAttrs: (token, stream, index) => ({ tight: isTight(stream, index), start: Number(token.attrGet('start') ?? 1) }),
  });
  return {
    paragraph: { block: 'paragraph' },
    blockquote: { block: 'blockquote' },
    bullet_list: list('bulletList'),
    ordered_list: list('orderedList'),
    list_item: { block: 'listItem' },
    heading: { block: 'heading', getAttrs: ({ tag }) => ({ level: Number(tag.slice(1)) }) },
    code_block: { block: 'codeBlock', noCloseToken: true },
    fence: { block: 'codeBlock', noCloseToken: true, getAttrs: ({ info }) => ({ language: info || null }) },
    hr: { node: 'horizontalRule' },
    hardbreak: { node: 'hardBreak' },
    em: { mark: 'italic' },
    strong: { mark: 'bold' },
    s: { mark: 'strike' },
    code_inline: { mark: 'code', noCloseToken: true },
    link: {
      mark: 'link',
      getAttrs: (token) => ({ href: token.attrGet('href'), title: token.attrGet('title') }),
    },
  } satisfies Record<string, ParseSpec>;
})();

function tokensFor(names: Names, unknown: string): Record<string, ParseSpec> {
  return {
    ...TOKENS,
    mention: {
      node: 'mention',
      getAttrs: ({ content }) => ({ id: content, name: Object.hasOwn(names, content) ? names[content] : unknown }),
    },
    image: {
      node: 'picture',
      getAttrs: (token) => {
        const src = token.attrGet('src') ?? '';
        if (!src.startsWith(PICTURE_PATH)) throw new Error('the editor shows uploaded pictures only');
        return { src, alt: token.children?.map(({ content }) => content).join('') ?? '' };
      },
    },
  };
}

/** Whether a list is tight: CommonMark hides the paragraphs of its items. */
function isTight(stream: Token[], index: number): boolean {
  for (const token of stream.slice(index + 1)) {
    if (token.type === 'paragraph_open') return token.hidden;
    if (token.type === 'list_item_close') return true;
  }
  return true;
}

export const serializer = new MarkdownSerializer(
  {
    paragraph(state, node) {
      state.renderInline(node);
      state.closeBlock(node);
    },
    blockquote(state, node) {
      state.wrapBlock('> ', null, node, () => state.renderContent(node));
    },
    bulletList(state, node) {
      state.renderList(node, '  ', () => '- ');
    },
    orderedList(state, node) {
      const first = Number(node.attrs['start'] ?? 1);
      const width = String(first + node.childCount - 1).length + 2;
      state.renderList(node, ' '.repeat(width), (index) => `${first + index}. `.padEnd(width));
    },
    listItem(state, node) {
      state.renderContent(node);
    },
    heading(state, node) {
      state.write(`${'#'.repeat(Number(node.attrs['level']))} `);
      state.renderInline(node, false);
      state.closeBlock(node);
    },
    codeBlock(state, node) {
      const longest = Math.max(2, ...Array.from(node.textContent.matchAll(/`{3,}/g), ([run]) => run.length));
      const fence = '`'.repeat(longest + 1);
      state.write(`${fence}${node.attrs['language'] ?? ''}\n`);
      state.text(node.textContent, false);
      state.write(`\n${fence}`);
      state.closeBlock(node);
    },
    horizontalRule(state, node) {
      state.write('---');
      state.closeBlock(node);
    },
    // A break at the end of a block has no effect.
    hardBreak(state, node, parent, index) {
      for (let next = index + 1; next < parent.childCount; next++) {
        if (parent.child(next).type !== node.type) return state.write('\\\n');
      }
    },
    picture(state, node) {
      state.write(`![${state.esc(String(node.attrs['alt']))}](${node.attrs['src']})`);
    },
    mention(state, node) {
      state.text(`{{${node.attrs['id']}}}`, false);
    },
    text(state, node, parent, index) {
      let text = node.text ?? '';
      if (index === 0 || parent.child(index - 1).type.name === 'hardBreak') {
        const { 0: mark, 1: digits = '' } = LINE_START.exec((text = text.trimStart())) ?? [''];
        if (mark) state.text(`${digits}\\${mark.slice(digits.length)}`, false);
        text = text.slice(mark.length);
      }
      const isLinked = node.marks.some(({ type, attrs }) => type.name === 'link' && !isBare(attrs, parent, index));
      let from = 0;
      // An underscore or asterisk inside an address is part of it.
      for (const { 0: address, index: at } of isLinked ? [] : text.matchAll(ADDRESS)) {
        if (at > from) state.text(text.slice(from, at));
        state.text(address, false);
        from = at + address.length;
      }
      if (from < text.length) state.text(text.slice(from));
    },
  },
  {
    bold: { open: '**', close: '**', mixable: true, expelEnclosingWhitespace: true },
    italic: { open: '*', close: '*', mixable: true, expelEnclosingWhitespace: true },
    strike: { open: '~~', close: '~~', mixable: true, expelEnclosingWhitespace: true },
    code: {
      open: (_state, _mark, parent, index) => fenceOf(parent.child(index)).open,
      close: (_state, _mark, parent, index) => fenceOf(parent.child(index - 1)).close,
      escape: false,
    },
    link: {
      open: (_state, mark, parent, index) => (isBare(mark.attrs, parent, index) ? '' : '['),
      close: (_state, mark, parent, index) =>
        isBare(mark.attrs, parent, index - 1) ? '' : `](${targetOf(mark.attrs)})`,
      mixable: true,
    },
  },
  // Escapes text that the server would read as HTML, as an entity, as a mention or as a formula.
  { hardBreakNodeName: 'hardBreak', escapeExtraCharacters: /<|(?<=<)!|&(?=#?\w+;)|\{(?=\{)|\$(?=\$)/g },
);

type LinkAttributes = Record<string, unknown>;

/** Whether a link is a bare address. */
function isBare(attributes: LinkAttributes, parent: Node, index: number): boolean {
  const { text, marks } = parent.child(index);
  return (
    !attributes['title'] && marks.length === 1 && text !== undefined && text === attributes['href'] && BARE.test(text)
  );
}

export function targetOf(attributes: LinkAttributes): string {
  const href = String(attributes['href'])
    .replace(/[()"\\]/g, '\\$&')
    .replaceAll(' ', '%20');
  const title = attributes['title'];
  return typeof title === 'string' && title ? `${href} "${title.replace(/["\\]/g, '\\$&')}"` : href;
}

/** The fence of inline code: one backtick more than the longest run inside. */
function fenceOf(node: Node): { open: string; close: string } {
  const text = node.text ?? '';
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const space = longest > 0 || /^ .* $/.test(text) ? ' ' : '';
  return { open: ticks + space, close: space + ticks };
}

/**
 * Opens a text as an editor document; null when the editor would lose some of it: outside pictures, tables, HTML, reference
 * links. Checked by writing it back and comparing the results.
 */
export function openMarkdown(schema: Schema, source: string, names: Names, unknown = ''): Opened | null {
  const env: Record<string, unknown> = {};
  const tops = tokenizer.parse(source, env).filter(({ level, map }) => level === 0 && map !== null);
  if (env['references'] && Object.keys(env['references']).length > 0) return null;
  let doc: Node;
  try {
    doc = new MarkdownParser(schema, tokenizer, tokensFor(names, unknown)).parse(source);
    doc.check();
  } catch {
    return null; // the editor has no such node
  }
  if (meaningOf(writeMarkdown(doc)) !== meaningOf(source)) return null;
  const lines = source.split(/\r\n?|\n/);
  const starts = tops.map(({ map }) => map?.[0] ?? 0);
  const blocks = starts.map((start, index) =>
    lines
      .slice(start, starts[index + 1])
      .join('\n')
      .trimEnd(),
  );
  return { doc, blocks: blocks.length === doc.childCount ? blocks : [] };
}

/** Writes a document as Markdown. `known` maps untouched blocks to their source, which is kept. */
export function writeMarkdown(doc: Node, known?: ReadonlyMap<Node, string>): string {
  return doc.children
    .map((block) => known?.get(block) ?? serializer.serialize(doc.type.create(null, block)))
    .filter((block) => block.trim() !== '')
    .join('\n\n');
}

function meaningOf(source: string): string {
  return tokenizer.render(source).replace(/\s+/g, ' ');
}
