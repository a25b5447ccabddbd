import { listWholeExports, requestWholeExport } from '@officium/contract/whole-exports';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ExportList } from '../../ui/export-list.tsx';
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
  return (
    <Admin title={t('admin.operations_export')} intro={t('admin.operations_export_intro')}>
      <OperationsTabs />
      <p className="mt-6 max-w-prose">{t('admin.operations_export_care')}</p>
      <ExportList exports={exports} page={HERE} fileOf={(id) => `${HERE}/${id}`} />
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
