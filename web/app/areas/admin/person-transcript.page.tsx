import { Link } from 'react-router';
import { addressOf } from '@officium/contract/client';
import { downloadTranscript, readTranscript } from '@officium/contract/transcripts';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { TranscriptFiles, TranscriptTables } from '../../ui/transcript.tsx';
import type { Route } from './+types/person-transcript.page';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context);
  const call = { params: { id: params.id }, query: { locale } };
  return { transcript: await api(readTranscript, call), pdf: addressOf(downloadTranscript, call) };
}

export default function PersonTranscript({ loaderData: { transcript, pdf } }: Route.ComponentProps) {
  const { t } = useText();
  const { id, name } = transcript.person;
  return (
    <Admin
      title={t('transcript.of', { name })}
      crumb={
        <Link to={`/admin/people/${id}`} className="link inline-flex min-h-11 items-center">
          <bdi>{name}</bdi>
        </Link>
      }
      actions={<TranscriptFiles pdf={pdf} csv={`/admin/people/${id}/transcript.csv`} />}
    >
      <TranscriptTables transcript={transcript} />
    </Admin>
  );
}
