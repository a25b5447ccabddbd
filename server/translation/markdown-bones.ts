import { renderMarkdown } from '../text/markdown.ts';

const INLINE = new Set(
  'a strong b em i u s strike del sup sub code span br img'.split(' ').flatMap((name) => [name, `/${name}`]),
);
const CODE = /<code(?: [^>]*)?>[\s\S]*?<\/code>/g;

/**
 * A text without what it says: its blocks in their order, in each of them links, emphasis, pictures and code in any, for
 * languages put their words where they will.
 */
export function bonesOf(source: string): string {
  const { html } = renderMarkdown(source, { resolveImage: (src) => src });
  const codes: string[] = [];
  const coded = html.replace(CODE, (code) => {
    codes.push(code);
    return `<code ${codes.length - 1}>`;
  });
  const blocks: string[] = [];
  let line: string[] = [];
  for (const [tag, name = ''] of coded.matchAll(/<(\/?[a-z0-9]+)[^>]*>/g)) {
    const bone = name === 'code' ? (codes[Number(/\d+/.exec(tag)?.[0])] ?? tag) : plain(tag);
    if (INLINE.has(name)) line.push(bone);
    else {
      blocks.push(...line.toSorted(), bone);
      line = [];
    }
  }
  return JSON.stringify([...blocks, ...line.toSorted()]);
}

/** Words also stand in these attributes, and are translated. */
const plain = (tag: string) => tag.replace(/ (?:alt|title|aria-label)="[^"]*"/g, '');
