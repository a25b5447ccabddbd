/** A plan node of EXPLAIN (FORMAT JSON). Row counts are per loop; buffers cover all loops and child nodes. */
export type PlanNode = {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Index Searches'?: number;
  Plans?: PlanNode[];
  [detail: string]: unknown;
};

export type Statement = { text: string; plan: PlanNode };

const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);

export const buffersOf = (plan: PlanNode) => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);

/**
 * Index pages read between root and leaf, given the levels of each index. An index gains a level with every two hundred
 * times the rows, so these pages hardly grow.
 */
export function descentOf(plan: PlanNode, levels: ReadonlyMap<string, number>): number {
  return sum(
    all(plan).map(
      (node) => (node['Index Searches'] ?? 0) * (levels.get(node['Index Name'] ?? '') ?? 0), // already summed over all loops
    ),
  );
}

/** The tables a plan scans in full. */
export function fullScans(plan: PlanNode): string[] {
  return all(plan).flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []));
}

/** How many rows a plan sorts. */
export function rowsSorted(plan: PlanNode): number {
  const sorts = all(plan).filter((node) => node['Node Type'] === 'Sort');
  return sum(sorts.flatMap((node) => (node.Plans ?? []).map((below) => below['Actual Rows'] * below['Actual Loops'])));
}

const SHOWN = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Sort Key',
  'Rows Removed by Filter',
  'Sort Method',
];

/** Renders a plan as indented text. */
export function planText(node: PlanNode, depth = 0): string {
  const of = node['Index Name'] ?? node['Relation Name'];
  const alias = node['Alias'] ?? '';
  const head = `${'  '.repeat(depth)}${node['Node Type']}${of ? ` of ${of} ${alias}` : ''}: ${node['Actual Rows']} rows × ${node['Actual Loops']}, ${buffersOf(node)} pages`;
  const details = SHOWN.filter((name) => node[name]).map(
    (name) => `${'  '.repeat(depth + 2)}${name}: ${String(node[name]).replaceAll(/\s+/g, ' ').slice(0, 200)}`,
  );
  return [head, ...details, ...(node.Plans ?? []).map((below) => planText(below, depth + 1))].join('\n');
}
