import { readMyTranscript } from '@officium/contract/transcripts';
import { transcriptCsv } from '../../admin/transcript-csv.ts';
import { loadSignedIn } from '../../server/api.ts';
import type { Route } from './+types/transcript.csv';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  return transcriptCsv(await api(readMyTranscript, { query: { locale } }));
}
