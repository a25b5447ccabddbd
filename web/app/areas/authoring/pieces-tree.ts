import type { listPieces } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';

export type PieceRow = ReplyOf<typeof listPieces>['pieces'][number];
export type PieceNode = PieceRow & {
  name: string;
  /** The parts of an open piece; undefined while it is closed. */
  children: PieceNode[] | undefined;
};

/** How many pieces may be open at once, the limit of the API. */
export const MAX_OPEN = 30;
const OPENABLE = /^(academy|course|journey):[A-Za-z0-9._-]{1,64}$/;

/** The name of a piece in `under` and in addresses. */
export const nodeName = ({ kind, key }: Pick<PieceRow, 'kind' | 'key'>) => `${kind}:${key}`;

export const isOpenable = (value: string | null): value is string => value !== null && OPENABLE.test(value);

/** The open pieces of an address, in the order in which they were opened. */
export function openIn({ searchParams }: URL): string[] {
  return [...new Set(searchParams.getAll('open').filter(isOpenable))].slice(-MAX_OPEN);
}

/** Puts the parts of open pieces below them. A piece inside itself is impossible, as kinds only contain lower ones. */
export function toTree(rows: readonly PieceRow[], parts: readonly PieceRow[], open: readonly string[]): PieceNode[] {
  return rows.map((row) => {
    const name = nodeName(row);
    const below = parts.filter(({ under }) => under === name);
    return { ...row, name, children: open.includes(name) ? toTree(below, parts, open) : undefined };
  });
}

/** The query of the address with a piece opened or closed. What is inside a closed piece closes with it. */
export function toggled(search: string, { name, children }: Pick<PieceNode, 'name' | 'children'>): string {
  const query = new URLSearchParams(search);
  const inside = (nodes: readonly PieceNode[]): string[] =>
    nodes.flatMap((node) => [node.name, ...inside(node.children ?? [])]);
  const closing = children ? new Set([name, ...inside(children)]) : new Set<string>();
  const open = query.getAll('open').filter((one) => !closing.has(one));
  query.delete('open');
  for (const one of children ? open : [...open, name].slice(-MAX_OPEN)) query.append('open', one);
  return query.size > 0 ? `?${query.toString()}` : '';
}
