import { addressOf } from '@officium/contract/client';
import { downloadDataExport } from '@officium/contract/personal-data';
import { readConfirmation } from '@officium/contract/second-factor';
import { loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import type { Route } from './+types/export-file.action';

/** Redirects to an export file, or to the confirmation page when the last sign-in is too old. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadSignedIn(request, context);
  const { recent } = await api(readConfirmation);
  return redirect(
    recent ? addressOf(downloadDataExport, { params: { id: params.id } }) : '/confirm?next=/me/settings/privacy',
  );
}
