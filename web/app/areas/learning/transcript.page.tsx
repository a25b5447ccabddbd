import { Link } from 'react-router';
import { addressOf } from '@officium/contract/client';
import { downloadMyTranscript, readMyTranscript } from '@officium/contract/transcripts';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { TranscriptFiles, TranscriptTables } from '../../ui/transcript.tsx';
import type { Route } from './+types/transcript.page';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale } = await loadSignedIn(request, context);
  const query = { locale };
  return { transcript: await api(readMyTranscript, { query }), pdf: addressOf(downloadMyTranscript, { query }) };
}

export default function MyTranscript({ loaderData: { transcript, pdf } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-10 md:py-12">
      <Head title={t('transcript.title')} isPrivate />
      <p className="no-print">
        <Link to="/me/learning" className="link inline-flex min-h-11 items-center">
          {t('common.learning_mine')}
        </Link>
      </p>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 className="text-4xl md:text-5xl">{t('transcript.title')}</h1>
          <p className="mt-2 text-2xl">
            <bdi>{transcript.person.name}</bdi>
          </p>
        </div>
        <div className="no-print flex flex-wrap gap-3">
          <TranscriptFiles pdf={pdf} csv="/me/learning/transcript.csv" />
        </div>
      </div>
      <TranscriptTables transcript={transcript} />
    </div>
  );
}
