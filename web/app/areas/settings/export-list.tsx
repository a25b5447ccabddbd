import { Download } from 'lucide-react';
import { Link } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { listDataExports } from '@officium/contract/personal-data';
import { useText } from '../../text.tsx';
import { useAutoRefresh } from '../../ui/auto-refresh.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';

type DataExport = ReplyOf<typeof listDataExports>['exports'][number];

/** Requested exports: in progress, ready or failed. */
export function ExportList({ exports }: { exports: DataExport[] }) {
  useAutoRefresh(exports.some(({ status }) => status === 'pending'));
  if (!exports.length) return null;
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {exports.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <State dataExport={one} />
        </li>
      ))}
    </ul>
  );
}

function State({ dataExport: { id, status, bytes, createdAt, expiresAt } }: { dataExport: DataExport }) {
  const { t, rich, number } = useText();
  if (status === 'failed') return <p className="text-danger">{t('account.export_failed')}</p>;
  if (status === 'pending')
    return (
      <div className="min-w-0 flex-1" role="status">
        <p>{t('account.export_pending')}</p>
        <progress className="mt-2 animate-pulse" aria-label={t('account.export_pending')} />
        <noscript>
          <Link to="/me/settings/privacy" className="link inline-flex min-h-11 items-center">
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
      <a href={`/me/settings/privacy/exports/${id}`} className="btn btn-primary">
        <Icon as={Download} />
        {t('account.export_fetch')}
      </a>
    </>
  );
}
