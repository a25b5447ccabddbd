/**
 * A pseudo locale: letters have accents, texts have brackets and are a third longer. Plain English words are then
 * missing from the catalogues, and layouts that only fit English break.
 */
type Node = { type: number; value?: string; children?: Node[]; options?: Record<string, { value: Node[] }> };
export type Catalogue = Record<string, string | Node[]>;

/** Node types of the message syntax tree. */
const LITERAL = 0;

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'áƀçđéƒĝĥíĵķľɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĽṀÑÓƤɊŔŠŤÚṼŴẊÝŽ';
const ACCENTS = new Map([...PLAIN].map((letter, index) => [letter, [...ACCENTED][index] ?? letter]));

/** The pseudo locale of a catalogue compiled by messages-plugin.ts. */
export function disguise(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, disguised(text)]));
}

function disguised(text: string | Node[]): string | Node[] {
  if (typeof text === 'string') return `⟦${accented(text)}${filling(text.length)}⟧`;
  const end = { type: LITERAL, value: `${filling(lengthOf(text))}⟧` };
  return [{ type: LITERAL, value: '⟦' }, ...text.map(accentedNode), end];
}

function accented(text: string): string {
  return [...text].map((letter) => ACCENTS.get(letter) ?? letter).join('');
}

function accentedNode(node: Node): Node {
  const { type, value, children, options } = node;
  return {
    ...node,
    ...(type === LITERAL && value !== undefined ? { value: accented(value) } : {}),
    ...(children ? { children: children.map(accentedNode) } : {}),
    ...(options ? { options: mapped(options) } : {}),
  };
}

function mapped(options: Record<string, { value: Node[] }>): Record<string, { value: Node[] }> {
  const entries = Object.entries(options);
  return Object.fromEntries(entries.map(([name, { value }]) => [name, { value: value.map(accentedNode) }]));
}

function lengthOf(nodes: Node[]): number {
  return nodes.reduce((sum, { type, value = '' }) => sum + (type === LITERAL ? value.length : 6), 0);
}

/** Padding of about a third of the text, in words of five. */
function filling(length: number): string {
  return ' ~~~~~'.repeat(Math.ceil((length * 0.35) / 6));
}
