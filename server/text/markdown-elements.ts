import { Parser } from 'htmlparser2';
import type { Token } from 'markdown-it';
import { LESSON_BLOCKS } from './blocks/registry.ts';
import { parseMarkdown } from './markdown.ts';

export type Element = { tag: string; attributes: Readonly<Record<string, string>>; line: number; isMarkdown: boolean };
export type Visitor = {
  open(element: Element): void;
  close(tag: string): void;
  /** `line` is the line of the text. A line break is reported as a separate text, `\n`. */
  text(text: string, line: number): void;
};

/** Elements without a closing tag. */
const VOID = new Set(['img', 'br', 'hr', 'input', 'source', 'track', 'wbr']);

/**
 * Walks the syntax tree of a Markdown source and reports Markdown and HTML elements alike, in source order, with line
 * numbers from 1. Code is reported as a `code` element without its text.
 */
export function walkMarkdown(source: string, visitor: Visitor): void {
  const walk = new Walk(visitor);
  for (const token of parseMarkdown(source, { blocks: LESSON_BLOCKS })) walk.block(token);
  walk.end();
}

class Walk {
  readonly #visitor: Visitor;
  readonly #html: Parser;
  #line = 1;
  #row = 1;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
    this.#html = new Parser(
      {
        onopentag: (tag, attributes) => this.#open(tag, attributes, false),
        onclosetag: (tag) => {
          if (!VOID.has(tag)) visitor.close(tag);
        },
        ontext: (text) => this.#lines(text),
      },
      { recognizeSelfClosing: true },
    );
  }

  block(token: Token): void {
    if (token.map) this.#line = token.map[0] + 1;
    if (token.type === 'tr_open') this.#row = this.#line;
    if (token.type === 'inline') {
      if (!token.map) this.#line = this.#row;
      for (const child of token.children ?? []) this.#inline(child);
    } else if (token.type === 'html_block') this.#html.write(token.content);
    else this.#element(token);
  }

  end(): void {
    this.#html.end();
  }

  #inline(token: Token): void {
    switch (token.type) {
      case 'text':
        return this.#visitor.text(token.content, this.#line);
      case 'softbreak':
      case 'hardbreak':
        return this.#break();
      case 'html_inline':
        return void this.#html.write(token.content);
      case 'image':
        return this.#open('img', { src: String(token.attrGet('src') ?? ''), alt: altOf(token) }, true);
      default:
        return this.#element(token);
    }
  }

  #element(token: Token): void {
    const { tag, nesting } = token;
    if (tag === '') return;
    if (nesting === -1) return this.#visitor.close(tag);
    const attributes = Object.fromEntries((token.attrs ?? []).map(([name, value]) => [name, String(value)]));
    // markdown-it marks a bare address that it turned into a link with `info: 'auto'`.
    const written = token.info === 'auto' ? { ...attributes, auto: '' } : attributes;
    this.#open(tag, written, true);
    if (nesting === 0 && !VOID.has(tag)) this.#visitor.close(tag);
  }

  #open(tag: string, attributes: Record<string, string>, isMarkdown: boolean): void {
    this.#visitor.open({ tag, attributes, line: this.#line, isMarkdown });
  }

  #lines(text: string): void {
    for (const [nth, line] of text.split('\n').entries()) {
      if (nth > 0) this.#break();
      if (line !== '') this.#visitor.text(line, this.#line);
    }
  }

  #break(): void {
    this.#line += 1;
    this.#visitor.text('\n', this.#line);
  }
}

function altOf(token: Token): string {
  return (token.children ?? []).map(({ content }) => content).join('');
}
