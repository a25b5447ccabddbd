import { Suspense, useState } from 'react';
import type { Ranking } from '@officium/contract/community';
import { useText } from '../../text.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Muted } from '../../ui/muted.tsx';
import { Poll } from '../../ui/poll.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { useCanTranslate } from '../../ui/translated.tsx';
import { Like } from './like.tsx';
import type { CommunityData, PostData } from './model.ts';
import { PostHead } from './post-head.tsx';
import { SharedCard } from './lazy-shared-card.tsx';
import { speech } from './shapes.tsx';

type Props = { post: PostData; community: CommunityData };
type FeedProps = Props & { ranking: Ranking };

/** A post in a feed. Plain HTML: there are thirty of them on a page. Put them in a `LinkArea`. */
export function Post(props: FeedProps) {
  const whole = <Whole {...props} />;
  return props.post.isMuted ? <Muted name={props.post.author.name}>{whole}</Muted> : whole;
}

function Whole({ post, community, ranking }: FeedProps) {
  const { t } = useText();
  const canTranslate = useCanTranslate(post.locale);
  const { slug } = community;
  const { can } = post;
  const to = `/communities/${slug}/activities/${post.id}`;
  const titleId = `title-${post.id}`;
  return (
    <article id={post.id} aria-labelledby={titleId} className="py-7">
      <PostHead post={post} community={community} to={to} />
      <h3 id={titleId} lang={post.locale} dir="auto" className={post.title ? 'mt-3 text-2xl' : 'sr-only'}>
        <a href={to} className="title-link">
          {post.title ?? t('community.post_by', { name: post.author.name })}
        </a>
      </h3>
      {post.html ? (
        <RichText html={post.html} people={post.people} lang={post.locale} isCompact className="mt-2" />
      ) : null}
      {post.isCut ? (
        <a href={to} className="link mt-1 inline-block py-1.5">
          {t('community.read_on')}
          <span className="sr-only">: {post.title}</span>
        </a>
      ) : null}
      <SharedCard shared={post.shared} />
      {post.poll ? (
        <div className="mt-3">
          <Poll poll={post.poll} community={slug} lang={post.locale} labelledBy={titleId} canVote={can.react} />
        </div>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-x-6">
        <Like community={slug} id={post.id} count={post.likes} own={post.ownLike} canLike={can.react} />
        <a
          href={`${to}#${post.replies === 0 && can.reply ? 'write' : 'replies'}`}
          className="inline-flex min-h-11 items-center gap-1.5 text-sm text-muted hover:text-accent"
        >
          {speech}
          {post.replies === 0 && can.reply
            ? t('community.reply_first')
            : t('community.replies_count', { count: post.replies })}
        </a>
        {canTranslate ? (
          <a
            href={`${to}?translate=${post.id}`}
            rel="nofollow"
            className="inline-flex min-h-11 items-center text-sm text-muted hover:text-accent hover:underline"
          >
            {t('translation.short')}
            <span className="sr-only">: {post.title ?? t('community.post_by', { name: post.author.name })}</span>
          </a>
        ) : null}
        <Why to={`${to}/rank${ranking === 'recent_with_pin' ? '?order=new' : ''}`} titleId={titleId} />
      </div>
    </article>
  );
}

const here = lazyPart(async () => (await import('./why-here.tsx')).WhyHere);

/** Discloses why the post is here: with script in place, without it by a link. */
function Why({ to, titleId }: { to: string; titleId: string }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="text-sm text-muted open:w-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary
        aria-describedby={titleId}
        className="inline-flex min-h-11 items-center hover:text-accent hover:underline"
      >
        {t('feed.why')}
      </summary>
      {isOpen ? (
        <Suspense>
          <here.Part to={to} />
        </Suspense>
      ) : (
        <a href={to} rel="nofollow" className="link">
          {t('feed.why_more')}
        </a>
      )}
    </details>
  );
}
