import { useEffect, useRef } from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { usePlainForm } from '../../ui/plain-form.ts';
import { fullHeart, heart } from './shapes.tsx';

type Props = {
  community: string;
  /** Id of the post, or with `isReply` of the reply. */
  id: string;
  isReply?: boolean;
  count: number;
  /** Id of the viewer's own like. */
  own: string | undefined;
  canLike: boolean;
};

export type LikeAnswer = { like: string | null };

/** A heart with a count, pressed when the viewer likes this. Updates optimistically and then by the result. */
export function Like({ community, id, isReply, count, own, canLike }: Props) {
  const { t, number } = useText();
  const { data, formData, onSubmit } = usePlainForm<LikeAnswer>();
  const answer = data && 'like' in data ? data : undefined;
  useLikeAnnounced(answer);
  const present = answer ? (answer.like ?? undefined) : own;
  const isLiked = formData ? formData.has('like') : present !== undefined;
  const shown = count + Number(isLiked) - Number(own !== undefined);
  const content = (
    <>
      {isLiked ? fullHeart : heart}
      <span className="sr-only">{t('community.likes', { count: shown })}</span>
      <span aria-hidden="true">{number(shown)}</span>
    </>
  );
  if (!canLike) return <span className="inline-flex items-center gap-1.5 py-2 text-sm text-muted">{content}</span>;
  return (
    <form method="post" action={`/communities/${community}/react`} onSubmit={onSubmit}>
      <input type="hidden" name={isReply ? 'reply' : 'activity'} value={id} />
      <button
        name={isLiked ? 'unlike' : 'like'}
        value={present ?? ''}
        aria-pressed={isLiked}
        className={`-ms-2 inline-flex min-h-11 items-center gap-1.5 rounded px-2 text-sm hover:bg-accent-soft hover:text-accent ${isLiked ? 'font-semibold text-accent' : 'text-muted'}`}
      >
        <span className="sr-only">{t('community.like')}</span>
        {content}
      </button>
    </form>
  );
}

function useLikeAnnounced(answer: LikeAnswer | undefined) {
  const { t } = useText();
  const last = useRef(answer);
  useEffect(() => {
    if (answer === last.current) return;
    last.current = answer;
    if (answer) announce(t(answer.like ? 'community.liked' : 'community.unliked'));
  }, [answer, t]);
}
