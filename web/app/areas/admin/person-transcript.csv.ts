import { readTranscript } from '@officium/contract/transcripts';
import { loadAdmin } from '../../admin/load.ts';
import { transcriptCsv } from '../../admin/transcript-csv.ts';
import type { Route } from './+types/person-transcript.csv';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  return transcriptCsv(await api(readTranscript, { params: { id: params.id }, query: { locale } }));
}
