import { Download } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../text.tsx';
import { useAutoRefresh } from './auto-refresh.tsx';
import { Icon } from './icon.tsx';
import { Time } from './time.tsx';

/** An export that a job makes; its file can be downloaded until `expiresAt`. */
type RequestedExport = {
  id: string;
  status: 'pending' | 'ready' | 'failed';
  bytes: number | null;
  createdAt: string;
  expiresAt: string;
};

type Props = {
  exports: RequestedExport[];
  /** The page of the list, for reading it again without script. */
  page: string;
  /** The address of an export's file. */
  fileOf: (id: string) => string;
};

/** Requested exports: in progress, ready or failed. */
export function ExportList({ exports, page, fileOf }: Props) {
  useAutoRefresh(exports.some(({ status }) => status === 'pending'));
  if (!exports.length) return null;
  return (
    <ul className="mt-4 divide-y divide-line border-y border-line">
      {exports.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <State requested={one} page={page} file={fileOf(one.id)} />
        </li>
      ))}
    </ul>
  );
}

type StateProps = { requested: RequestedExport; page: string; file: string };

function State({ requested: { status, bytes, createdAt, expiresAt }, page, file }: StateProps) {
  const { t, rich, number } = useText();
  if (status === 'failed') return <p className="text-danger">{t('account.export_failed')}</p>;
  if (status === 'pending')
    return (
      <div className="min-w-0 flex-1" role="status">
        <p>{t('account.export_pending')}</p>
        <progress className="mt-2 animate-pulse" aria-label={t('account.export_pending')} />
        <noscript>
          <Link to={page} className="link inline-flex min-h-11 items-center">
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
      <a href={file} className="btn btn-primary">
        <Icon as={Download} />
        {t('account.export_fetch')}
      </a>
    </>
  );
}
