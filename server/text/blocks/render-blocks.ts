import { randomBytes } from 'node:crypto';
import type { Token } from 'markdown-it';
import { type BlockOptions, MAX_FROM_FILES, MAX_REPEATED } from './block.ts';
import { BLOCK_CLOSE, BLOCK_OPEN, type BlockUse } from './block-rule.ts';

/** Renders tokens without blocks to sanitised HTML. */
export type RenderSafely = (tokens: Token[]) => string;

/**
 * Renders tokens with blocks to safe HTML. The content of each block is sanitised on its own, so its elements are
 * balanced and end within the block. In the text around it, a word stands for the block while that text is sanitised;
 * the word is random, so no author can write it.
 */
export function renderBlocks(tokens: readonly Token[], renderSafely: RenderSafely, options: BlockOptions): string {
  return new BlockRenderer(renderSafely, options).render(tokens);
}

class BlockRenderer {
  readonly #renderSafely: RenderSafely;
  readonly #options: BlockOptions;
  readonly #secret = randomBytes(16).toString('hex');
  #heading = 1;
  #left = MAX_FROM_FILES;
  #repeatable = MAX_REPEATED;
  readonly #counts = new Map<string, number>();
  readonly #ids = new Set<string>();

  constructor(renderSafely: RenderSafely, options: BlockOptions) {
    this.#renderSafely = renderSafely;
    this.#options = options;
  }

  render(tokens: readonly Token[]): string {
    const around: Token[] = [];
    const blocks: string[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!; // within the list
      if (token.type === 'heading_open') this.#heading = Number(token.tag[1]);
      if (token.type !== BLOCK_OPEN) {
        around.push(token);
        continue;
      }
      const content = contentOf(tokens, at);
      around.push(placeholder(token, `${this.#secret}-${blocks.length}-\n`));
      blocks.push(this.#block(token.meta as BlockUse, content));
      at += content.length + 1;
    }
    const html = this.#renderSafely(around);
    return blocks.length === 0 ? html : this.#replace(html, blocks);
  }

  #block({ name, block, label, attributes }: BlockUse, tokens: readonly Token[]): string {
    const html = (part: readonly Token[] = tokens) => this.render(part);
    const take = (characters: number) => (this.#left -= characters) >= 0;
    const repeat = (characters: number) => (this.#repeatable -= characters) >= 0;
    const headingLevel = Math.min(6, this.#heading + 1);
    return `${block.render({ id: this.#idOf(name, attributes['id']), label, attributes, tokens, html, take, repeat, headingLevel, options: this.#options })}\n`;
  }

  #idOf(name: string, written: string | undefined): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const isFree = written !== undefined && !/^\d+$/.test(written) && !this.#ids.has(`${name} ${written}`);
    if (isFree) this.#ids.add(`${name} ${written}`);
    return isFree ? written : String(count);
  }

  /** In sanitised HTML, `<` and `>` occur only in tags. A placeholder in an attribute of a tag is removed. */
  #replace(html: string, blocks: readonly string[]): string {
    const placeholders = new RegExp(`${this.#secret}-(\\d+)-\\n?`, 'g');
    return html.replace(new RegExp(`<[^>]*>|${placeholders.source}`, 'g'), (match, nth: string | undefined) =>
      nth === undefined ? match.replace(placeholders, '') : (blocks[Number(nth)] ?? ''),
    );
  }
}

/** Returns the tokens between the one that opens a block and the one that closes it. */
export function contentOf(tokens: readonly Token[], open: number): readonly Token[] {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.type === BLOCK_OPEN) depth++;
    else if (tokens[at]?.type === BLOCK_CLOSE && --depth === 0) return tokens.slice(open + 1, at);
  }
  return tokens.slice(open + 1);
}

function placeholder(of: Token, content: string): Token {
  const token = new (of.constructor as typeof Token)('html_block', '', 0); // the class is not exported as a value
  token.content = content;
  return token;
}
