import type { Cohort } from '@officium/contract/admin';
import type { Capability } from '@officium/contract/capabilities';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { z } from 'zod';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Admin } from '../../admin/admin.tsx';
import { CohortDays } from './cohort-days.tsx';

/** The pages of a cohort, with the capability that opens each; null: for administrators only. */
const TABS = [
  { path: '', label: 'admin.cohorts_members', capability: 'manage-cohort' },
  { path: '/invitations', label: 'admin.cohorts_invitations', capability: 'manage-cohort' },
  { path: '/products', label: 'admin.cohorts_products', capability: 'manage-cohort' },
  { path: '/uploads', label: 'admin.cohorts_uploads', capability: 'manage-cohort' },
  { path: '/progress', label: 'admin.cohorts_progress', capability: 'read-reports' },
  { path: '/details', label: 'admin.cohorts_details', capability: null },
] as const satisfies readonly { path: string; label: string; capability: Capability | null }[];

type Props = {
  cohort: Pick<
    z.output<typeof Cohort>,
    'id' | 'name' | 'primaryPartner' | 'archivedAt' | 'beginsOn' | 'endsOn' | 'isOver' | 'total' | 'capabilities'
  >;
  tab: (typeof TABS)[number]['path'];
  children: ReactNode;
};

/** Frame of the pages of one cohort: name, figures and tabs. */
export function CohortFrame({ cohort, tab, children }: Props) {
  const { t, number } = useText();
  const { id, name, total, capabilities } = cohort;
  const tabs = TABS.filter(
    ({ capability }) => !capabilities || (capability !== null && capabilities.includes(capability)),
  );
  const counts: Partial<Record<Props['tab'], string>> = {
    '': number(total.members),
    '/invitations': number(total.invitations),
  };
  return (
    <Admin title={name} intro={<Intro {...cohort} />} crumb={<UpToCohorts />}>
      <Tabs
        label={t('admin.cohorts_parts')}
        tabs={tabs.map(({ path, label }) => ({
          to: `/admin/cohorts/${id}${path}`,
          label: t(label),
          isCurrent: path === tab,
          count: counts[path],
        }))}
      />
      {cohort.archivedAt ? (
        <div className="mt-6 max-w-prose">
          <Notice>{t('admin.cohorts_is_archived')}</Notice>
        </div>
      ) : cohort.isOver ? (
        <div className="mt-6 max-w-prose">
          <Notice>{t('admin.cohorts_is_over')}</Notice>
        </div>
      ) : null}
      <div className="mt-8">{children}</div>
    </Admin>
  );
}

function Intro(cohort: Props['cohort']) {
  const { primaryPartner, beginsOn, endsOn } = cohort;
  return (
    <>
      <bdi>{primaryPartner}</bdi>
      {beginsOn || endsOn ? (
        <span className="block text-base">
          <CohortDays {...cohort} />
        </span>
      ) : null}
    </>
  );
}

export function UpToCohorts() {
  const { t } = useText();
  return (
    <p className="mb-2">
      <Link to="/admin/cohorts" className="link inline-flex min-h-11 items-center">
        {t('admin.cohorts')}
      </Link>
    </p>
  );
}
