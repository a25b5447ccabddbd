import { type IssuedCertificate, listIssuedCertificates } from '@officium/contract/issued-certificates';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/certificates.csv';
import { certificateFilterOf } from './certificates.ts';

/** A size that spreadsheets can open; narrow the period for more. */
const MOST = 10_000;

const COLUMNS = [
  'number',
  'nameOnCertificate',
  'personId',
  'organization',
  'courseSlug',
  'courseTitle',
  'journeyTitle',
  'state',
  'issuedAt',
  'expiresAt',
  'revokedAt',
  'revocationReason',
] as const satisfies (keyof IssuedCertificate)[];

/** The filtered certificates, all pages, newest first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-reports');
  const query = { ...certificateFilterOf(url), limit: '100' };
  const rows: (string | null)[][] = [];
  let continuationToken: string | undefined;
  do {
    const page = await api(listIssuedCertificates, { query: { ...query, continuationToken } });
    for (const certificate of page.certificates) rows.push(COLUMNS.map((name) => certificate[name]));
    continuationToken = page.continuationToken;
  } while (continuationToken !== undefined && rows.length < MOST);
  return csvReply('certificates', COLUMNS, rows);
}
