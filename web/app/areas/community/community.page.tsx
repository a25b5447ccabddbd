import { data, Link, type ShouldRevalidateFunctionArgs } from 'react-router';
import { createActivity, listActivities, readCommunity } from '@officium/contract/community';
import { createCommunityPoll } from '@officium/contract/polls';
import { act, load, refuse } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { LinkArea } from '../../ui/link-area.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { PersonLink } from '../../ui/person.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Route } from './+types/community.page';
import { CommunityHead } from './community-head.tsx';
import { Composer } from './composer.tsx';
import { addressOfFeed, feedOf, FEED_PAGE_SIZE, type FeedView } from './feed-address.ts';
import { optionalOf, textOf } from './fields.ts';
import { isAnsweredInPlace } from './in-place.ts';
import { categoryName, toPost, type CommunityData, type PostData } from './model.ts';
import { Post } from './post.tsx';
import { categoriesOf } from './write-fields.tsx';
import { localeOfText, pollOf, toPollFormIssues } from './write.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale, url } = await load(request, context);
  const view = feedOf(url.searchParams);
  const { offset, category, ranking } = view;
  const query = { locale, offset: String(offset), limit: String(FEED_PAGE_SIZE), category, ranking };
  const [community, feed] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    attempt(listActivities, { params, query }),
  ]);
  // 401 and 403: the page may be seen, what is said in the community not.
  if (!feed.ok && feed.failure.status !== 401 && feed.failure.status !== 403)
    throw data(feed.failure, { status: feed.failure.status });
  return {
    community,
    view,
    author: viewer && { name: viewer.name, thumbnail: viewer.thumbnail },
    posts: feed.ok ? feed.body.results.map((activity) => toPost(activity)) : null,
    nextOffset: feed.ok ? feed.body.nextOffset : null,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const { slug } = params;
  if (fields.get('intent') === 'poll') {
    const body = { ...pollOf(fields), locale: localeOfText(fields) };
    const started = await attempt(createCommunityPoll, { params, body });
    if (started.ok)
      return redirectWith(`/communities/${slug}/activities/${started.body.id}`, { key: 'community.poll_started' });
    const { message, code, issues, status } = started.failure;
    const values = Object.fromEntries(
      [...fields].filter((field): field is [string, string] => typeof field[1] === 'string'),
    );
    return refuse({ message, code, issues: toPollFormIssues(issues, fields), values, status }, status);
  }
  const body = {
    title: optionalOf(fields, 'title'),
    body: textOf(fields, 'body'),
    categories: categoriesOf(fields),
    locale: localeOfText(fields),
  };
  const posted = await attempt(createActivity, { params, body });
  return posted.ok
    ? redirectWith(`/communities/${slug}/activities/${posted.body.id}`, { key: 'community.posted' })
    : posted.refusal;
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return isAnsweredInPlace(args) ? false : args.defaultShouldRevalidate;
}

export default function Community({ loaderData }: Route.ComponentProps) {
  const { community, view, author, posts, nextOffset } = loaderData;
  const { slug, title, description, privacy, permissions } = community;
  return (
    <>
      <Head title={title} description={description} isPrivate={privacy !== 'open-visible'} />
      <CommunityHead community={community} isSignedIn={author !== null} />
      <div className="page grid justify-between gap-x-14 gap-y-10 pt-2 pb-14 lg:grid-cols-[minmax(0,41rem)_17rem]">
        <div className="min-w-0 [&_.prose]:max-w-none">
          {author && permissions.canPost ? (
            <Composer title={title} categories={community.categories} author={author} />
          ) : null}
          {author && community.membership?.status === 'active' && !permissions.canPost ? <OnlyReading /> : null}
          {posts ? <Feed {...{ community, view, posts, nextOffset }} /> : <Closed title={title} />}
        </div>
        <Aside slug={slug} community={community} />
      </div>
    </>
  );
}

type FeedProps = { community: CommunityData; view: FeedView; posts: PostData[]; nextOffset: number | null };

function Feed({ community, view, posts, nextOffset }: FeedProps) {
  const { t } = useText();
  const { slug, categories, permissions } = community;
  const tabs = [
    { ranking: 'community_feed_live', label: t('community.ranking_live') },
    { ranking: 'recent_with_pin', label: t('community.ranking_recent') },
  ] as const;
  const page = Math.floor(view.offset / FEED_PAGE_SIZE) + 1;
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
      {categories.length ? <Categories slug={slug} categories={categories} view={view} /> : null}
      {posts.length ? (
        <LinkArea className="divide-y divide-line">
          {posts.map((post) => (
            <Post
              key={post.id}
              post={post}
              community={slug}
              canReact={permissions.canReact}
              canReply={permissions.canReply}
            />
          ))}
        </LinkArea>
      ) : (
        <div className="mt-6">
          <NoPosts slug={slug} isFiltered={Boolean(view.category) || view.offset > 0} canPost={permissions.canPost} />
        </div>
      )}
      <Pagination
        page={page}
        previous={
          page > 1 ? addressOfFeed(slug, { ...view, offset: Math.max(view.offset - FEED_PAGE_SIZE, 0) }) : undefined
        }
        next={nextOffset === null ? undefined : addressOfFeed(slug, { ...view, offset: nextOffset })}
      />
    </section>
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

function Closed({ title }: { title: string }) {
  const { t } = useText();
  return <EmptyState title={t('community.closed_title')}>{t('community.closed_text', { title })}</EmptyState>;
}

function OnlyReading() {
  const { t } = useText();
  return <p className="border-s-4 border-line ps-4 text-muted">{t('community.only_reading')}</p>;
}

function Aside({ slug, community }: { slug: string; community: CommunityData }) {
  const { t } = useText();
  const { owners, memberCount, activityCount, privacy } = community;
  return (
    <aside aria-label={t('community.about')} className="grid content-start gap-8 text-sm lg:pt-1">
      <section>
        <h2 className="text-xl">{t('community.owners')}</h2>
        <ul className="mt-3 grid gap-3">
          {owners.map((owner) => (
            <li key={owner.id} className="flex items-center gap-3 text-base">
              <Avatar name={owner.name} src={owner.thumbnail} size={36} />
              <PersonLink id={owner.id} name={owner.name} />
            </li>
          ))}
        </ul>
      </section>
      <section className="border-t border-line pt-5 text-muted">
        <h2 className="text-xl text-ink">{t('community.about')}</h2>
        <p className="mt-2">{t(privacy.startsWith('closed') ? 'community.how_closed' : 'community.how_open')}</p>
        <p className="mt-2">{t('community.posts_count', { count: activityCount })}</p>
        <Link to={`/communities/${slug}/members`} className="link mt-1 inline-block py-1.5">
          {t('community.members_see', { count: memberCount })}
        </Link>
      </section>
    </aside>
  );
}
