import { useLocation } from 'react-router';
import { useText } from '../../text.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const PARTS = [
  { to: '/admin/operations', label: 'admin.operations_state' },
  { to: '/admin/operations/jobs', label: 'admin.operations_jobs' },
  { to: '/admin/operations/mails', label: 'admin.operations_mails' },
  { to: '/admin/operations/webhooks', label: 'admin.operations_webhooks' },
  { to: '/admin/operations/export', label: 'admin.operations_export' },
] as const;

/** Navigation between the operations pages. */
export function OperationsTabs() {
  const { t } = useText();
  const { pathname } = useLocation();
  return (
    <Tabs
      label={t('admin.operations_sections')}
      tabs={PARTS.map(({ to, label }) => ({ to, label: t(label), isCurrent: pathname === to }))}
    />
  );
}
