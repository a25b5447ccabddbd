import type { JobTask } from '@officium/contract/job-tasks';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import type { Order } from './order.ts';
import { CATEGORY_WORDS, LEVEL_WORDS, levelOf } from './words.ts';

type Props = {
  caption: string;
  tasks: readonly JobTask[];
  lang: 'en' | undefined;
  order: Order;
  sortedBy: (sort: string) => string;
};

/** The figures of the chart as a table. */
export function TaskTable({ caption, tasks, lang, order, sortedBy }: Props) {
  const { t, number } = useText();
  const figure = (value: number) => `${number(value / 100, { style: 'percent' })} ${t(LEVEL_WORDS[levelOf(value)])}`;
  const columns: Column<JobTask>[] = [
    {
      name: 'order',
      label: t('task.task'),
      isHeading: true,
      isSortable: true,
      cell: ({ title }) => <bdi lang={lang}>{title}</bdi>,
    },
    { name: 'kind', label: t('task.kind'), cell: ({ categoryId }) => t(CATEGORY_WORDS[categoryId]) },
    {
      name: 'risk',
      label: t('task.automation'),
      isNumber: true,
      isSortable: true,
      cell: ({ riskPercentage }) => figure(riskPercentage),
    },
    {
      name: 'effort',
      label: t('task.effort'),
      isNumber: true,
      isSortable: true,
      cell: ({ effortPercentage }) => figure(effortPercentage),
    },
    {
      name: 'statements',
      label: t('task.rests_on'),
      cell: ({ id, references }) => (
        <a href={`#task-${id}`} className="link -my-1 inline-block py-1 whitespace-nowrap">
          {t('task.statements', { count: references.length })}
        </a>
      ),
    },
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={tasks}
      keyOf={({ id }) => id}
      sort={order}
      sortedBy={sortedBy}
    />
  );
}
