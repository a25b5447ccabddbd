import {
  type ContentEvent,
  listContentEvents,
  readReconciliation,
  startReconciliation,
} from '@officium/contract/operations';
import type { z } from 'zod';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/operations-webhooks.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { OperationsTabs } from './operations-tabs.tsx';
import { outcomeOf } from './outcome.ts';
import { Reconciliation } from './reconciliation.tsx';

type Event = z.output<typeof ContentEvent>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url);
  const outcome = outcomeOf(url);
  const query = { outcome, limit: String(limit), offset: String(offset) };
  const [{ events, total }, reconciliation] = await Promise.all([
    api(listContentEvents, { query }),
    api(readReconciliation),
  ]);
  return {
    reconciliation,
    outcome,
    events,
    page,
    tabs: ([undefined, 'applied', 'ignored'] as const).map((name) => ({ name, to: addressOf({ outcome: name }) })),
    csv: `/admin/operations/webhooks.csv${outcome ? `?outcome=${outcome}` : ''}`,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const done = await attempt(startReconciliation);
  return done.ok
    ? redirectWith('/admin/operations/webhooks', { key: 'admin.operations_reconcile_started' })
    : done.refusal;
}

export default function OperationsWebhooks({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { outcome, events, tabs, csv, page, previous, next, reconciliation } = loaderData;
  return (
    <Admin title={t('admin.operations_webhooks')} intro={t('admin.operations_webhooks_intro')}>
      <OperationsTabs />
      <div className="mt-6 mb-4">
        <Tabs
          label={t('admin.operations_outcomes')}
          tabs={tabs.map(({ name, to }) => ({
            to,
            label: t(name ? `admin.operations_${name}` : 'admin.operations_all'),
            isCurrent: name === outcome,
          }))}
        />
      </div>
      {events.length > 0 ? (
        <>
          <Events events={events} />
          <p className="mt-4">
            <a href={csv} className="link inline-block py-1.5">
              {t('admin.table_csv')}
            </a>
          </p>
          <Pagination page={page} previous={previous} next={next} />
        </>
      ) : (
        <p className="text-muted">{t('admin.operations_no_events')}</p>
      )}
      <Reconciliation {...reconciliation} />
    </Admin>
  );
}

function Events({ events }: { events: Event[] }) {
  const { t } = useText();
  return (
    <DataTable
      caption={t('admin.operations_webhooks')}
      columns={[
        {
          name: 'received',
          label: t('admin.operations_received'),
          isHeading: true,
          cell: ({ receivedAt }) => <Time value={receivedAt} look="exact" />,
        },
        { name: 'topic', label: t('admin.operations_topic'), cell: ({ topic }) => <code>{topic}</code> },
        { name: 'entry', label: t('admin.operations_entry'), cell: ({ entryId }) => <code>{entryId}</code> },
        { name: 'version', label: t('admin.operations_version'), isNumber: true, cell: ({ version }) => version },
        {
          name: 'outcome',
          label: t('admin.operations_outcomes'),
          cell: ({ outcome, reason, onlyIndex }) => (
            <>
              <span className="font-semibold">{t(`admin.operations_${outcome}`)}</span>
              {reason ? <span className="block text-muted">{t(`admin.operations_reason_${reason}`)}</span> : null}
              {onlyIndex ? (
                <span className="block text-muted">
                  {t('admin.operations_only_index', { space: 'CONTENT_SPACE', token: 'CONTENT_TOKEN' })}
                </span>
              ) : null}
            </>
          ),
        },
      ]}
      rows={events}
      keyOf={({ id }) => id}
    />
  );
}
