import { listUploadAddresses } from '@officium/contract/admin';
import type { Route } from './+types/cohort-upload.csv';
import { outcomeOf } from './cohort-upload.page.tsx';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = 1000;

/** Every address of an upload with its outcome, filtered by outcome when the address has one. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const outcome = outcomeOf(url);
  const rows = [];
  for (let after = 0; ;) {
    const { addresses } = await api(listUploadAddresses, {
      params: { id: params.id, uploadId: params.upload },
      query: { limit: String(AT_ONCE), after: String(after), ...(outcome ? { outcome } : {}) },
    });
    for (const { email, outcome, reason, undone } of addresses) rows.push([email, outcome, reason, undone]);
    const last = addresses.at(-1);
    if (!last || addresses.length < AT_ONCE) break;
    after = last.position;
  }
  return csvReply(`upload-${params.upload}`, ['email', 'outcome', 'reason', 'undone'], rows);
}
