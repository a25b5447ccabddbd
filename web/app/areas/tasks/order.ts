import type { JobTask } from '@officium/contract/job-tasks';

/** Sort orders; `-` is descending. `order` is the order as entered. */
export const ORDERS = ['-risk', 'risk', '-effort', 'effort', 'order', '-order'] as const;
export type Order = (typeof ORDERS)[number];

/** Reads the sort order from the address. */
export function orderOf(url: URL): Order {
  const asked = url.searchParams.get('sort');
  return ORDERS.find((order) => order === asked) ?? '-risk';
}

type Figures = Pick<JobTask, 'id' | 'riskPercentage' | 'effortPercentage'>;

const VALUES: Record<string, (task: Figures) => number> = {
  risk: ({ riskPercentage }) => riskPercentage,
  effort: ({ effortPercentage }) => effortPercentage,
  order: ({ id }) => Number(id),
};

/** Ties are sorted by the other figure, then by the given order. */
export function inOrder<Task extends Figures>(tasks: readonly Task[], order: Order): Task[] {
  const isDown = order.startsWith('-');
  const name = order.replace('-', '');
  const value = VALUES[name]!; // ORDERS contains only its names
  const other = VALUES[name === 'effort' ? 'risk' : 'effort']!; // both are above
  return tasks.toSorted((a, b) => {
    const [first, second] = isDown ? [b, a] : [a, b];
    return value(first) - value(second) || other(first) - other(second) || Number(a.id) - Number(b.id);
  });
}
