import { useEffect, useRef } from 'react';
import type { readActivity } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';
import { asFormState } from '../form/form-scope.tsx';
import { useText } from '../text.tsx';
import { announce } from './announce.ts';
import { isKeptBack } from './poll-few.ts';
import { marks } from './poll-marks.tsx';
import { usePlainForm } from './plain-form.ts';
import { Time } from './time.tsx';

export type PollData = NonNullable<ReplyOf<typeof readActivity>['poll']>;
type OptionData = PollData['options'][number];

type Props = {
  poll: PollData;
  /** Translated options, if any. */
  words?: readonly { id: string; body: string }[];
  /** Slug of the community it belongs to. */
  community: string;
  /** Language of question and options. */
  lang: string;
  /** Id of the heading with the question. */
  labelledBy: string;
  canVote: boolean;
};

/**
 * A poll: each option is a large button that votes when pressed; when results are visible, the same rows show bars,
 * counts and shares. Without script each press submits a form.
 */
export function Poll({ poll: loaded, words, community, lang, labelledBy, canVote }: Props) {
  const { t, maybe } = useText();
  const { data, onSubmit } = usePlainForm<{ poll?: PollData }>();
  const poll = data?.poll ?? loaded;
  const problem = asFormState(data);
  useVoteAnnounced(data?.poll);
  const canPress = canVote && !poll.closed;
  const isMany = poll.settings.allow_multiple_votes;
  const ownVotes = new Map(poll.ownVotes.map((vote) => [vote.optionId, vote.id]));
  const winners = poll.winners ?? [];
  const isTied = winners.length > poll.settings.number_of_winners;
  const onlyVote = isMany ? undefined : poll.ownVotes[0]?.id;
  return (
    <form method="post" action={`/polls/${poll.id}/vote`} onSubmit={onSubmit}>
      <input type="hidden" name="community" value={community} />
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2" aria-labelledby={labelledBy}>
        {poll.options.map((option) => (
          <li key={option.id}>
            <Option
              {...{ option, lang, isMany, canPress }}
              body={words?.find(({ id }) => id === option.id)?.body ?? option.body}
              total={poll.totalVotes}
              ownVote={ownVotes.get(option.id)}
              winner={winners.includes(option.id) ? (isTied ? 'tied' : 'alone') : undefined}
            />
          </li>
        ))}
      </ul>
      {problem ? (
        <p role="alert" className="mt-2 text-sm font-semibold text-danger">
          {(problem.code && maybe(`errors.${problem.code}`)) || t('community.not_done')}
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 text-sm text-muted">
        {poll.totalVotes === undefined ? (
          <span>{t('community.poll_after_voting')}</span>
        ) : (
          <span>{t('community.poll_votes', { count: poll.totalVotes })}</span>
        )}
        <Deadline poll={poll} />
        {isMany && canPress ? <span>{t('community.poll_several')}</span> : null}
        {canPress && onlyVote ? <span>{t('thread.poll_change')}</span> : null}
        {poll.settings.hide_participants ? <span>{t('community.poll_names')}</span> : null}
        {isKeptBack(poll) ? <span>{t('community.poll_few_voters')}</span> : null}
        {canPress && onlyVote ? (
          <button name="retract" value={onlyVote} className="link py-1">
            {t('community.poll_retract')}
          </button>
        ) : null}
      </div>
    </form>
  );
}

type OptionProps = {
  option: OptionData;
  /** The displayed text. */
  body: string;
  lang: string;
  total: number | undefined;
  ownVote: string | undefined;
  isMany: boolean;
  canPress: boolean;
  winner: 'alone' | 'tied' | undefined;
};

function Option({ option, body, lang, total, ownVote, isMany, canPress, winner }: OptionProps) {
  const { t, number } = useText();
  const isWinner = winner !== undefined;
  const isOwn = ownVote !== undefined;
  const hasResult = option.votes !== undefined && total !== undefined;
  const share = hasResult && total > 0 ? option.votes! / total : 0; // checked by hasResult
  const mark = marks[isMany ? 'many' : 'one'][isOwn ? 'own' : 'open'];
  const content = (
    <>
      {hasResult ? <Bar share={share} isStrong={isOwn || isWinner} /> : null}
      <span className="relative flex w-full flex-wrap items-center gap-x-3 gap-y-1">
        {canPress || isOwn ? mark : null}
        <span className={`min-w-0 flex-1 basis-32 ${isOwn || isWinner ? 'font-semibold' : ''}`}>
          <span lang={lang} dir="auto">
            {body}
          </span>
          {isOwn ? <span className="sr-only"> {t('community.poll_own')}</span> : null}
        </span>
        {isWinner ? (
          <span className="rounded-full border border-accent bg-card px-2 text-sm whitespace-nowrap">
            {t(winner === 'tied' ? 'thread.poll_tied' : 'community.poll_winner')}
          </span>
        ) : null}
        {hasResult ? (
          <span className="ms-auto flex shrink-0 flex-col items-end text-sm leading-tight tabular-nums sm:flex-row sm:items-baseline sm:gap-3">
            <span className="text-muted">{t('community.poll_votes', { count: option.votes })}</span>{' '}
            <span className="font-semibold sm:w-11 sm:text-end">{number(share, PERCENT)}</span>
          </span>
        ) : null}
      </span>
    </>
  );
  const look = `relative block w-full overflow-hidden rounded border bg-card px-3.5 py-2.5 text-start ${isOwn || isWinner ? 'border-accent' : 'border-line'}`;
  if (!canPress) return <div className={look}>{content}</div>;
  // In multiple choice polls a second press withdraws the vote.
  const isRetracting = isMany && isOwn;
  return (
    <button
      name={isRetracting ? 'retract' : 'option'}
      value={isRetracting ? ownVote : option.id}
      aria-pressed={isOwn}
      className={`${look} min-h-12 hover:border-accent`}
    >
      {content}
    </button>
  );
}

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const;

// An SVG, because the content security policy refuses style attributes.
function Bar({ share, isStrong }: { share: number; isStrong: boolean }) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full rtl:-scale-x-100">
      <rect
        width={`${share * 100}%`}
        height="100%"
        className={`forced-colors:fill-transparent ${isStrong ? 'fill-accent-soft' : 'fill-sunk'}`}
      />
      <rect
        width={`${share * 100}%`}
        y="100%"
        height="3"
        transform="translate(0 -3)"
        className={`forced-colors:fill-[Highlight] ${isStrong ? 'fill-accent' : 'fill-edge'}`}
      />
    </svg>
  );
}

const MONTH_MS = 30 * 86_400_000;

function Deadline({ poll }: { poll: PollData }) {
  const { rich } = useText();
  const at = poll.settings.deadline_at;
  if (!at) return null;
  const isFar = Math.abs(Date.parse(at) - Date.now()) >= MONTH_MS;
  const key = poll.closed
    ? isFar
      ? 'community.poll_closed_on'
      : 'community.poll_closed'
    : isFar
      ? 'community.poll_closes_on'
      : 'community.poll_closes';
  return <span suppressHydrationWarning>{rich(key, { when: <Time value={at} /> })}</span>;
}

function useVoteAnnounced(answered: PollData | undefined) {
  const { t } = useText();
  const last = useRef(answered);
  useEffect(() => {
    if (answered === last.current) return;
    last.current = answered;
    if (answered) announce(t(answered.ownVotes.length ? 'community.voted' : 'community.vote_retracted'));
  }, [answered, t]);
}
