import type { listResends } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useText } from '../../text.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Time } from '../../ui/time.tsx';
import { AutoRefresh } from '../../ui/auto-refresh.tsx';

type Props = { resends: ReplyOf<typeof listResends>['resends'] };

/** Progress and outcome of resending invitations. */
export function Resends({ resends }: Props) {
  const { t, rich, number } = useText();
  if (resends.length === 0) return null;
  return (
    <ul className="mt-5 grid max-w-prose gap-3 text-sm">
      {resends.map(({ id, createdAt, finishedAt, total, done, sent }) => (
        <li key={id}>
          <p>{rich('admin.cohorts_sent_again', { sent, skipped: done - sent, time: <Time value={createdAt} /> })}</p>
          {finishedAt ? null : (
            <>
              <Progress
                label={t('admin.cohorts_sending')}
                value={done}
                max={total}
                caption={`${number(done)} / ${number(total)}`}
              />
              <AutoRefresh />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
