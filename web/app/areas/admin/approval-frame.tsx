import type { ReactNode } from 'react';
import { useText } from '../../text.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Admin } from '../../admin/admin.tsx';

type Props = { here: 'rules' | 'test'; actions?: ReactNode; children: ReactNode };

/** Frame of the auto-approval pages: tabs for the rules and the tester. */
export function ApprovalFrame({ here, actions, children }: Props) {
  const { t } = useText();
  return (
    <Admin title={t('admin.approval')} intro={t('admin.approval_intro')} actions={actions}>
      <Tabs
        label={t('admin.approval')}
        tabs={[
          { to: '/admin/approval', label: t('admin.approval_rules'), isCurrent: here === 'rules' },
          { to: '/admin/approval/test', label: t('admin.approval_test'), isCurrent: here === 'test' },
        ]}
      />
      <div className="mt-6">{children}</div>
    </Admin>
  );
}
