import { Link } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { listProfileActivities } from '@officium/contract/people';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';

const EXCERPT_LENGTH = 280;

/** The part of a post that the list shows; nothing else is sent to the browser. */
export type PostLine = {
  id: string;
  title: string | null;
  text: string;
  locale: string;
  createdAt: string;
  replies: number;
  isPoll: boolean;
  /** null: a poll outside communities. */
  community: { slug: string; title: string } | null;
};

export function toPostLine(activity: ReplyOf<typeof listProfileActivities>['results'][number]): PostLine {
  return {
    id: activity.id,
    title: activity.title,
    text: plainText(activity.bodyHtml ?? '', EXCERPT_LENGTH),
    locale: activity.locale,
    createdAt: activity.createdAt,
    replies: activity.reaction_counts.reply,
    isPoll: activity.verb === 'poll',
    community: activity.community,
  };
}

export type PostPage = { lines: PostLine[]; page: number; previous?: string; next?: string };

type Props = { posts: PostPage; name: string; isOwn: boolean };

/** The posts of a user that the viewer may read, newest first. */
export function Posts({ posts, name, isOwn }: Props) {
  const { t } = useText();
  return (
    <section aria-labelledby="posts" className="min-w-0">
      <h2 id="posts" className="text-2xl">
        {t('people.posts')}
      </h2>
      {posts.lines.length > 0 ? (
        <ul className="mt-2 divide-y divide-line border-b border-line">
          {posts.lines.map((post) => (
            <li key={post.id} className="py-5">
              <Line post={post} name={name} />
            </li>
          ))}
        </ul>
      ) : (
        <div className="mt-3">
          <EmptyState
            title={t(isOwn ? 'people.posts_none_own' : 'people.posts_none')}
            action={
              isOwn ? (
                <LinkButton to="/communities" look="secondary">
                  {t('common.communities')}
                </LinkButton>
              ) : undefined
            }
          />
        </div>
      )}
      <Pagination {...posts} />
    </section>
  );
}

function Line({ post, name }: { post: PostLine; name: string }) {
  const { t, rich } = useText();
  const { title, text, community, replies, locale, isPoll } = post;
  const label = title ?? t('community.post_by', { name });
  return (
    <article>
      <h3 lang={title ? locale : undefined} dir="auto" className="text-xl">
        {community ? (
          <Link to={`/communities/${community.slug}/activities/${post.id}`} className="title-link">
            {label}
          </Link>
        ) : (
          label
        )}
      </h3>
      {text ? (
        <p lang={locale} dir="auto" className="mt-1 text-muted">
          {text}
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        {isPoll ? <Tag>{t('people.poll')}</Tag> : null}
        {community ? (
          <span>
            {rich('search.in', {
              place: (
                <Link to={`/communities/${community.slug}`} className="link">
                  <bdi>{community.title}</bdi>
                </Link>
              ),
            })}
          </span>
        ) : null}
        <Time value={post.createdAt} />
        {replies > 0 ? <span>{t('community.replies_count', { count: replies })}</span> : null}
      </div>
    </article>
  );
}
