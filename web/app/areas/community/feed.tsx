import { ArrowUp } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useNavigation } from 'react-router';
import type { Ranking } from '@officium/contract/community';
import { useNewPosts } from '../../live.ts';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSharedHtml } from '../../ui/shared-html.tsx';
import { LinkArea } from '../../ui/link-area.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useTranslationSources } from '../../ui/translated.tsx';
import { addressOfFeed, FEED_PAGE_SIZE, type FeedView } from './feed-address.ts';
import { postsOf, type FeedPage } from './feed-pages.ts';
import { categoryName, type CommunityData, type PostData } from './model.ts';
import { Post } from './post.tsx';
import { roleIn } from './role-tag.tsx';
import { arrivalOf, useFeedPages, type FeedArrival } from './use-feed-pages.ts';

type Props = {
  community: CommunityData;
  view: FeedView;
  page: FeedPage;
  /** Posts with a higher id are newer than the page. */
  since: string;
};

/** The feed of a community: ranked, filtered by category, extended at its end and by new posts. */
export function Feed({ community, view, page, since }: Props) {
  const { t } = useText();
  const { state, location } = useNavigation();
  const { slug, categories, permissions } = community;
  const pages = useFeedPages(page);
  const posts = postsOf(pages);
  const isGrowing = state === 'loading' && arrivalOf(location.state).isMore === true;
  const tabs = [
    { ranking: 'community_feed_live', label: t('community.ranking_live') },
    { ranking: 'recent_with_pin', label: t('community.ranking_recent') },
  ] as const;
  return (
    <section aria-labelledby="feed" className="mt-6">
      <h2 id="feed" className="sr-only">
        {t('community.posts')}
      </h2>
      <Tabs
        label={t('community.ranking')}
        tabs={tabs.map(({ ranking, label }) => ({
          to: addressOfFeed(slug, { ...view, ranking, offset: 0 }),
          label,
          isCurrent: ranking === view.ranking,
        }))}
      />
      <p className="mt-2 text-sm text-muted">
        {t(view.ranking === 'recent_with_pin' ? 'feed.pinned_first' : 'feed.lively')}
      </p>
      {categories.length ? <Categories slug={slug} categories={categories} view={view} /> : null}
      <NewPosts slug={slug} since={since} />
      {posts.length ? (
        <Posts posts={posts} community={community} ranking={view.ranking} />
      ) : (
        <div className="mt-6">
          <NoPosts slug={slug} isFiltered={Boolean(view.category) || view.offset > 0} canPost={permissions.canPost} />
        </div>
      )}
      <Further slug={slug} view={view} pages={pages} isGrowing={isGrowing} />
    </section>
  );
}

type PostsProps = { posts: PostData[]; community: CommunityData; ranking: Ranking };

/** Nearly identical for all viewers of the page. */
function Posts({ posts, community, ranking }: PostsProps) {
  const sources = useTranslationSources();
  const { slug } = community;
  const shared = useSharedHtml(
    posts.map((post) => ({
      kind: 'post',
      of: changesSoon(post)
        ? null
        : [post, slug, ranking, roleIn(community, post.author.id), sources.includes(post.locale)],
      times: timesOf(post),
      part: <Post key={post.id} {...{ post, community, ranking }} />,
    })),
  );
  return <LinkArea className="divide-y divide-line" {...shared} />;
}

const SOON_MS = 120_000;

/** The times in the post that are relative to now: its own and the closing time of its poll. */
const timesOf = ({ createdAt, poll }: PostData) => [createdAt, poll?.settings.deadline_at];

/** Whether a relative time in the post may change within seconds. */
function changesSoon(post: PostData): boolean {
  return timesOf(post).some((moment) => moment && Math.abs(Date.parse(moment) - Date.now()) < SOON_MS);
}

/** Offers posts that others published after the page was loaded. */
function NewPosts({ slug, since }: { slug: string; since: string }) {
  const { t } = useText();
  const count = useNewPosts(slug, since);
  const label = count ? t('feed.new', { count }) : '';
  useEffect(() => {
    if (label) announce(label);
  }, [label]);
  if (!label) return null;
  const arrival: FeedArrival = { since };
  return (
    <div className="sticky top-20 z-20 mt-4 flex justify-center">
      <Link
        to={addressOfFeed(slug, { ranking: 'recent_with_pin', category: undefined, offset: 0 })}
        state={arrival}
        className="btn btn-primary rounded-full shadow-soft"
      >
        <Icon as={ArrowUp} size={18} />
        {label}
      </Link>
    </div>
  );
}

type FurtherProps = { slug: string; view: FeedView; pages: FeedPage[]; isGrowing: boolean };

/** Links to the previous and next page. With script the next page is appended. */
function Further({ slug, view, pages, isGrowing }: FurtherProps) {
  const { t } = useText();
  const first = pages[0]?.offset ?? 0;
  const next = pages.at(-1)?.next ?? null;
  if (first === 0 && next === null) return null;
  const arrival: FeedArrival = { isMore: true };
  return (
    <nav
      aria-label={t('common.pagination')}
      className="mt-6 flex flex-wrap justify-between gap-4"
      aria-busy={isGrowing}
    >
      {first > 0 ? (
        <LinkButton
          to={addressOfFeed(slug, { ...view, offset: Math.max(first - FEED_PAGE_SIZE, 0) })}
          look="secondary"
          rel="prev"
        >
          {t('common.previous_page')}
        </LinkButton>
      ) : null}
      {next === null ? null : (
        <LinkButton
          to={addressOfFeed(slug, { ...view, offset: next })}
          look="secondary"
          rel="next"
          className="flex-1"
          replace
          preventScrollReset
          state={arrival}
          aria-disabled={isGrowing || undefined}
        >
          {t(isGrowing ? 'common.loading' : 'feed.more')}
        </LinkButton>
      )}
    </nav>
  );
}

function Categories({ slug, categories, view }: { slug: string; categories: string[]; view: FeedView }) {
  const { t } = useText();
  return (
    <nav aria-label={t('community.categories')} className="mt-4">
      <ul className="flex flex-wrap gap-2 text-sm">
        {[undefined, ...categories].map((category) => (
          <li key={category ?? ''}>
            <Link
              to={addressOfFeed(slug, { ...view, category, offset: 0 })}
              preventScrollReset
              aria-current={category === view.category ? 'page' : undefined}
              className="inline-flex min-h-8 items-center rounded-full border border-line px-3 hover:border-accent hover:text-accent aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-paper forced-colors:aria-[current]:underline"
            >
              {category ? categoryName(category) : t('community.categories_all')}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoPosts({ slug, isFiltered, canPost }: { slug: string; isFiltered: boolean; canPost: boolean }) {
  const { t } = useText();
  if (isFiltered)
    return (
      <EmptyState
        title={t('community.none_here')}
        action={
          <LinkButton to={`/communities/${slug}`} look="secondary">
            {t('community.see_all')}
          </LinkButton>
        }
      />
    );
  return (
    <EmptyState
      title={t('community.empty_title')}
      action={
        canPost ? (
          <LinkButton to={`/communities/${slug}?write=post#write`}>{t('community.write_first')}</LinkButton>
        ) : null
      }
    >
      {t('community.empty_text')}
    </EmptyState>
  );
}
