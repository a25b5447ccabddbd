import type { JobTask } from '@officium/contract/job-tasks';

type Compared<Task> = { tasks: readonly Task[]; unmatchedTasks: readonly { id: string }[] };

/** Tasks with a comparable statement, and those whose figures are mere averages. */
export function byNearness<Task extends Pick<JobTask, 'id'>>({ tasks, unmatchedTasks }: Compared<Task>) {
  const unmatched = new Set(unmatchedTasks.map(({ id }) => id));
  return { near: tasks.filter(({ id }) => !unmatched.has(id)), weak: tasks.filter(({ id }) => unmatched.has(id)) };
}
