import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt, { type Token } from 'markdown-it';
import type { HelpPage, HelpSection } from './app/areas/help/help.ts';
import { HELP_FILES } from './help-files.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

const slugOf = (file: string) => basename(file, '.md');
const addressOfFile = (file: string) => `/help/${slugOf(file)}`;

/** A picture of a guide: its source, and its path in the build. */
export type HelpPicture = { path: string; source: Buffer; width: number; height: number };

/** The pages of the help, and the pictures that they show. */
export type Help = { pages: HelpPage[]; pictures: HelpPicture[] };

/** Renders the guides and the documents they build on. Runs when the pages are built. */
export function readHelp(): Help {
  const pictures = new Map<string, HelpPicture>();
  const pages = HELP_FILES.map((file) => renderFile(file, pictures));
  return { pages, pictures: [...pictures.values()] };
}

function renderFile(file: string, pictures: Map<string, HelpPicture>): HelpPage {
  const isGuide = file.startsWith('guides/');
  const markdown = new MarkdownIt();
  markdown.renderer.rules['code_inline'] = ([...all], at) => {
    const { content } = all[at]!; // the token being rendered
    const code = `<code>${markdown.utils.escapeHtml(content)}</code>`;
    return isGuide && isScreen(content) ? `<a href="${content}">${code}</a>` : code;
  };
  const tokens = markdown.parse(readFileSync(join(DOCS, file), 'utf8'), {});
  const sections: HelpSection[] = [];
  const used = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'inline') {
      if (token.children) token.children = inlineOf(token.children, file, pictures);
      if (tokens[at - 1]?.type !== 'heading_open') {
        const last = sections.at(-1);
        if (last) last.text += `${textOf(token)} `;
        continue;
      }
      const id = anchorOf(textOf(token), used);
      tokens[at - 1]!.attrSet('id', id); // the opening tag of this heading
      sections.push({ id, title: textOf(token), text: '' });
    } else if (token.type === 'fence') token.attrSet('tabindex', '0');
  }
  const [title] = sections;
  if (!title || tokens[0]?.tag !== 'h1') throw new Error(`docs/${file} must begin with its title`);
  tokens.splice(0, 3); // the page shows its title as its own heading
  let tables = 0; // regions of a page need names of their own
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<pre><code', '<pre tabindex="0"><code')
    .replaceAll(
      '<table>',
      () => `<div class="table-scroll" tabindex="0" role="region" aria-label="Table ${(tables += 1)}"><table>`,
    )
    .replaceAll('</table>', '</table></div>');
  return { slug: slugOf(file), isGuide, title: title.title, html, sections };
}

/** The anchor of a heading, as forges make it. */
function anchorOf(heading: string, used: Set<string>): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
  let id = plain;
  for (let next = 1; used.has(id); next += 1) id = `${plain}-${next}`;
  used.add(id);
  return id;
}

function textOf(token: Token): string {
  return (token.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
}

/** Leads links to pages of the help, and drops links to files that readers do not have. */
function inlineOf(children: Token[], file: string, pictures: Map<string, HelpPicture>): Token[] {
  let isDropped = false;
  return children.flatMap((token) => {
    if (token.type === 'link_open') {
      const address = addressOfLink(String(token.attrGet('href')), file);
      isDropped = address === undefined;
      if (address !== undefined) token.attrSet('href', address);
    }
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) return [];
    if (token.type === 'image') showPicture(token, file, pictures);
    return [token];
  });
}

/** The path of a screen, such as `/me/settings`; not one with a placeholder, nor an operation of the API. */
export const isScreen = (code: string): boolean => /^\/\w[\w/-]*$/.test(code) && !code.startsWith('/api');

function addressOfLink(link: string, file: string): string | undefined {
  if (/^(?:https?|mailto):/.test(link) || link.startsWith('#')) return link;
  const [path = '', anchor] = link.split('#');
  const target = normalize(join(dirname(file), path));
  if (!HELP_FILES.includes(target)) return undefined;
  return addressOfFile(target) + (anchor === undefined ? '' : `#${anchor}`);
}

function showPicture(token: Token, file: string, pictures: Map<string, HelpPicture>): void {
  const source = join(DOCS, dirname(file), String(token.attrGet('src')));
  if (!existsSync(source)) throw new Error(`docs/${file} names a picture that does not exist: ${source}`);
  const picture = pictures.get(source) ?? readPicture(source);
  pictures.set(source, picture);
  token.attrSet('src', `/${picture.path}`);
  token.attrSet('width', String(picture.width));
  token.attrSet('height', String(picture.height));
  token.attrSet('loading', 'lazy');
}

function readPicture(file: string): HelpPicture {
  const source = readFileSync(file);
  // The size in the header of a lossy WebP, https://www.rfc-editor.org/rfc/rfc9649#section-2.5
  if (source.toString('latin1', 12, 16) !== 'VP8 ') throw new Error(`${file} is no lossy WebP`);
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  return {
    path: `assets/help-${basename(file, '.webp')}-${hash}.webp`,
    source,
    width: source.readUInt16LE(26) & 0x3fff,
    height: source.readUInt16LE(28) & 0x3fff,
  };
}
