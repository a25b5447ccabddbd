import { addressOf } from '@officium/contract/client';
import { readConfirmation } from '@officium/contract/second-factor';
import { downloadWholeExport } from '@officium/contract/whole-exports';
import { loadAdmin } from '../../admin/load.ts';
import { redirect } from '../../server/redirect.ts';
import type { Route } from './+types/operations-export-file.action';

/** Redirects to an export of everything, or to the confirmation page when the last sign-in is too old. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  const { recent } = await api(readConfirmation);
  return redirect(
    recent
      ? addressOf(downloadWholeExport, { params: { exportId: params.id } })
      : '/confirm?next=/admin/operations/export',
  );
}
