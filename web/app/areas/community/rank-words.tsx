import type { RankExplanation } from '@officium/contract/ranks';
import { useText } from '../../text.tsx';
import { Time } from '../../ui/time.tsx';

const WORDS = { like: 'feed.why_likes', reply: 'feed.why_replies', share: 'feed.why_shares' } as const;

/** The reasons for the place of a post, in words. */
export function RankWords({ explained }: { explained: RankExplanation }) {
  const { t } = useText();
  const isRecent = explained.pinned !== undefined;
  return (
    <>
      <p>
        {isRecent
          ? t('feed.why_recent', { order: t('community.ranking_recent') })
          : t('feed.why_live', { order: t('community.ranking_live') })}
      </p>
      <dl className="mt-3 grid max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-1 border-y border-line py-3 text-ink">
        <dt>{t('feed.why_posted')}</dt>
        <dd className="text-end">
          <Time value={explained.createdAt} />
        </dd>
        {explained.people
          ?.filter(({ kind, people }) => people > 0 || kind !== 'share') // few posts share an article
          .map(({ kind, people, points }) => (
            <Part key={kind} label={t(WORDS[kind], { people })} points={points} />
          ))}
      </dl>
      <p className="mt-3 text-ink">
        <Sum explained={explained} />
      </p>
      <p className="mt-3">{t(isRecent ? 'feed.why_ignored_recent' : 'feed.why_ignored')}</p>
    </>
  );
}

function Part({ label, points }: { label: string; points: number }) {
  const { t } = useText();
  return (
    <>
      <dt>{label}</dt>
      <dd className="text-end">{t('feed.why_points', { points })}</dd>
    </>
  );
}

function Sum({ explained: { createdAt, pinned, points = 0, standsAt } }: { explained: RankExplanation }) {
  const { t, number } = useText();
  if (pinned !== undefined) return t(pinned ? 'feed.why_pinned' : 'feed.why_unpinned');
  if (points === 0 || standsAt === undefined) return t('feed.why_age');
  const hours = Math.round((Date.parse(standsAt) - Date.parse(createdAt)) / 3_600_000);
  return t('feed.why_stands', { points, hours: number(hours, HOURS) });
}

const HOURS = { style: 'unit', unit: 'hour', unitDisplay: 'long' } as const;
