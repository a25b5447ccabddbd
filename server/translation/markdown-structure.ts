import { renderMarkdown } from '../text/markdown.ts';

const INLINE = new Set(
  'a strong b em i u s strike del sup sub code span br img'.split(' ').flatMap((name) => [name, `/${name}`]),
);
const CODE = /<code(?: [^>]*)?>[\s\S]*?<\/code>/g;

/**
 * Returns the structure of a Markdown text without its words. Blocks are in order; the inline elements of a block are
 * sorted, because word order differs between languages.
 */
export function structureOf(source: string): string {
  const { html } = renderMarkdown(source, { resolveImage: (src) => src });
  const codes: string[] = [];
  const coded = html.replace(CODE, (code) => {
    codes.push(code);
    return `<code ${codes.length - 1}>`;
  });
  const blocks: string[] = [];
  let line: string[] = [];
  for (const [tag, name = ''] of coded.matchAll(/<(\/?[a-z0-9]+)[^>]*>/g)) {
    const tagOrCode = name === 'code' ? (codes[Number(/\d+/.exec(tag)?.[0])] ?? tag) : plain(tag);
    if (INLINE.has(name)) line.push(tagOrCode);
    else {
      blocks.push(...line.toSorted(), tagOrCode);
      line = [];
    }
  }
  return JSON.stringify([...blocks, ...line.toSorted()]);
}

/** Removes attributes whose text is translated. */
const plain = (tag: string) => tag.replace(/ (?:alt|title|aria-label)="[^"]*"/g, '');
