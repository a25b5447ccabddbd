import type { ReactNode } from 'react';
import type { ReplyOf } from '@officium/contract/endpoint';
import { readSystem } from '@officium/contract/operations';
import type { MessageKey } from '../../message-keys.ts';
import { useText, type Text } from '../../text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/operations.page';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { OperationsTabs } from './operations-tabs.tsx';

type System = ReplyOf<typeof readSystem>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return await api(readSystem);
}

export default function Operations({ loaderData: system }: Route.ComponentProps) {
  const { t, rich } = useText();
  const { oldestWaitingJob } = system;
  return (
    <Admin title={t('admin.operations')} intro={t('admin.operations_state_intro')}>
      <OperationsTabs />
      <p className="mt-6">
        {oldestWaitingJob
          ? rich('admin.operations_oldest', {
              queue: <code key="queue">{oldestWaitingJob.queue}</code>,
              time: <Time key="time" value={oldestWaitingJob.dueAt} look="exact" />,
            })
          : t('admin.operations_no_oldest')}
      </p>
      <Versions versions={system.versions} />
      <Processes processes={system.processes} />
      <Files storage={system.storage} />
      <Database database={system.database} />
    </Admin>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  );
}

function Versions({ versions }: Pick<System, 'versions'>) {
  const { t, number } = useText();
  const rows: [MessageKey, ReactNode][] = [
    ['admin.operations_version_product', versions.product],
    ['admin.operations_version_node', versions.node],
    ['admin.operations_version_postgresql', <bdi dir="ltr">{versions.postgresql}</bdi>],
    ['admin.operations_version_jobs', versions.jobStore],
    ['admin.operations_version_migrations', number(versions.migrations)],
    [
      'admin.operations_version_schema',
      <>
        <code>{versions.lastMigration}</code> · <Time value={versions.lastMigratedAt} look="exact" />
      </>,
    ],
    [
      'admin.operations_version_built',
      versions.builtAt ? <Time value={versions.builtAt} look="exact" /> : t('admin.operations_not_built'),
    ],
  ];
  return (
    <Part title={t('admin.operations_versions')}>
      <dl className="divide-y divide-line border-y border-line">
        {rows.map(([label, value]) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-6 py-2">
            <dt className="text-muted">{t(label)}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

function Processes({ processes }: Pick<System, 'processes'>) {
  const { t } = useText();
  return (
    <Part title={t('admin.operations_processes')}>
      <DataTable
        caption={t('admin.operations_processes')}
        columns={[
          { name: 'role', label: t('admin.operations_role'), isHeading: true, cell: ({ role }) => <code>{role}</code> },
          { name: 'host', label: t('admin.operations_host'), cell: ({ host }) => host },
          { name: 'pid', label: t('admin.operations_pid'), isNumber: true, cell: ({ pid }) => pid },
          {
            name: 'since',
            label: t('admin.operations_since'),
            cell: ({ connectedAt }) => <Time value={connectedAt} look="exact" />,
          },
        ]}
        rows={processes}
        keyOf={({ host, pid, connectedAt }) => `${host} ${pid} ${connectedAt}`}
      />
    </Part>
  );
}

const KINDS = {
  content: 'admin.operations_kind_content',
  pictures: 'admin.operations_kind_pictures',
  exports: 'admin.operations_kind_exports',
} as const;

function Files({ storage }: Pick<System, 'storage'>) {
  const text = useText();
  const { t, number } = text;
  return (
    <Part title={t('admin.operations_files')}>
      <DataTable
        caption={t('admin.operations_files')}
        columns={[
          { name: 'kind', label: t('admin.operations_kind'), isHeading: true, cell: ({ kind }) => t(KINDS[kind]) },
          { name: 'files', label: t('admin.operations_files'), isNumber: true, cell: ({ files }) => number(files) },
          {
            name: 'bytes',
            label: t('admin.operations_size'),
            isNumber: true,
            cell: ({ bytes }) => (bytes === null ? t('admin.operations_size_unknown') : sizeOf(text, bytes)),
          },
        ]}
        rows={storage}
        keyOf={({ kind }) => kind}
      />
    </Part>
  );
}

function Database({ database: { bytes, tables } }: Pick<System, 'database'>) {
  const text = useText();
  const { t, number } = text;
  return (
    <Part title={t('admin.operations_database')}>
      <p className="mb-3">{t('admin.operations_database_size', { size: sizeOf(text, bytes) })}</p>
      <DataTable
        caption={t('admin.operations_database')}
        columns={[
          {
            name: 'name',
            label: t('admin.operations_table'),
            isHeading: true,
            cell: ({ name }) => <code>{name}</code>,
          },
          { name: 'rows', label: t('admin.operations_rows'), isNumber: true, cell: ({ rows }) => number(rows) },
          {
            name: 'bytes',
            label: t('admin.operations_size'),
            isNumber: true,
            cell: (row) => sizeOf(text, row.bytes),
          },
        ]}
        rows={tables}
        keyOf={({ name }) => name}
      />
    </Part>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A byte count in the unit with the fewest digits. */
function sizeOf({ number }: Text, bytes: number): string {
  const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)), UNITS.length - 1);
  return number(bytes / 1000 ** step, { style: 'unit', unit: UNITS[step], maximumFractionDigits: step < 2 ? 0 : 1 });
}
