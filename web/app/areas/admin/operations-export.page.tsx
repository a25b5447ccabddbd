import { Download } from 'lucide-react';
import { Link } from 'react-router';
import type { WholeExport } from '@officium/contract/whole-exports';
import { listWholeExports, requestWholeExport } from '@officium/contract/whole-exports';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { useAutoRefresh } from '../../ui/auto-refresh.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/operations-export.page';
import { OperationsTabs } from './operations-tabs.tsx';

const HERE = '/admin/operations/export';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return await api(listWholeExports);
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const asked = await attempt(requestWholeExport);
  return asked.ok ? redirectWith(HERE, { key: 'admin.operations_export_asked' }) : asked.refusal;
}

export default function OperationsExport({ loaderData: { exports } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const isMaking = exports.some(({ status }) => status === 'pending');
  useAutoRefresh(isMaking);
  return (
    <Admin title={t('admin.operations_export')} intro={t('admin.operations_export_intro')}>
      <OperationsTabs />
      <p className="mt-6 max-w-prose">{t('admin.operations_export_care')}</p>
      {exports.length > 0 ? (
        <ul className="mt-6 divide-y divide-line border-y border-line">
          {exports.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <State wholeExport={one} />
            </li>
          ))}
        </ul>
      ) : null}
      {isMaking ? null : (
        <SmartForm className="mt-6">
          <Button look="secondary" isBusy={isSubmitting}>
            {t('admin.operations_export_ask')}
          </Button>
        </SmartForm>
      )}
    </Admin>
  );
}

function State({ wholeExport: { id, status, bytes, createdAt, expiresAt } }: { wholeExport: WholeExport }) {
  const { t, rich, number } = useText();
  if (status === 'failed') return <p className="text-danger">{t('account.export_failed')}</p>;
  if (status === 'pending')
    return (
      <div className="min-w-0 flex-1" role="status">
        <p>{t('account.export_pending')}</p>
        <progress className="mt-2 animate-pulse" aria-label={t('account.export_pending')} />
        <noscript>
          <Link to={HERE} className="link inline-flex min-h-11 items-center">
            {t('account.export_look')}
          </Link>
        </noscript>
      </div>
    );
  const size = number((bytes ?? 0) / 1000, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return (
    <>
      <div>
        <p>{rich('account.export_ready', { time: <Time value={createdAt} />, size })}</p>
        <p className="text-sm text-muted">
          {rich('account.export_until', { time: <Time value={expiresAt} look="exact" /> })}
        </p>
      </div>
      <a href={`${HERE}/${id}`} className="btn btn-primary">
        <Icon as={Download} />
        {t('account.export_fetch')}
      </a>
    </>
  );
}
