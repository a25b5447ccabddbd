import type { JobTask } from '@officium/contract/job-tasks';

/** What tasks are in the order of; `-` from the highest. `order` is as they were given. */
export const ORDERS = ['-risk', 'risk', '-effort', 'effort', 'order', '-order'] as const;
export type Order = (typeof ORDERS)[number];

/** The order an address asks for. */
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

/** Equals go by the other figure, then as they were given. */
export function inOrder<Task extends Figures>(tasks: readonly Task[], order: Order): Task[] {
  const isDown = order.startsWith('-');
  const name = order.replace('-', '');
  const value = VALUES[name]!; // ORDERS are made of its names
  const other = VALUES[name === 'effort' ? 'risk' : 'effort']!; // both are above
  return tasks.toSorted((a, b) => {
    const [first, second] = isDown ? [b, a] : [a, b];
    return value(first) - value(second) || other(first) - other(second) || Number(a.id) - Number(b.id);
  });
}
