import { listMails } from '@officium/contract/operations';
import type { Route } from './+types/operations-mails.csv';
import { allOf } from './all.ts';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { mailStatusOf } from './mail-status.ts';

const COLUMNS = ['id', 'kind', 'recipient', 'status', 'attempts', 'answer', 'createdAt', 'sentAt'] as const;

/** Mails of one status, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const status = mailStatusOf(url);
  const mails = await allOf(async (paged) => (await api(listMails, { query: { status, ...paged } })).mails);
  return csvReply(
    `mails-${status}`,
    COLUMNS,
    mails.map((mail) => COLUMNS.map((column) => mail[column])),
  );
}
