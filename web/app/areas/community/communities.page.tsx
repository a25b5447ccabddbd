import { listCommunities } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Cover } from '../../ui/cover.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/communities.page';
import { Join } from './join.tsx';

type Summary = ReplyOf<typeof listCommunities>['communities'][number];

const PAGE_SIZE = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer, locale, url } = await load(request, context);
  const page = Math.max(Math.trunc(Number(url.searchParams.get('page')) || 1), 1);
  const offset = (page - 1) * PAGE_SIZE;
  const { communities, total } = await api(listCommunities, {
    query: { locale, limit: String(PAGE_SIZE), offset: String(offset) },
  });
  return {
    mine: communities.filter((community) => community.membership),
    others: communities.filter((community) => !community.membership),
    isSignedIn: viewer !== null,
    page,
    hasNext: offset + PAGE_SIZE < total,
  };
}

export default function Communities({ loaderData }: Route.ComponentProps) {
  const { mine, others, isSignedIn, page, hasNext } = loaderData;
  const { t } = useText();
  return (
    <div className="page py-10 md:py-14">
      <Head title={t('community.list_title')} description={t('community.list_intro')} />
      <h1 className="text-4xl md:text-5xl">{t('community.list_title')}</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted">{t('community.list_intro')}</p>
      {mine.length ? <List id="mine" title={t('community.mine')} communities={mine} isSignedIn={isSignedIn} /> : null}
      {others.length ? (
        <List
          id="others"
          title={t(isSignedIn ? 'community.others' : 'community.all')}
          isTitleHidden={!isSignedIn}
          communities={others}
          isSignedIn={isSignedIn}
        />
      ) : null}
      {mine.length + others.length === 0 ? (
        <div className="mt-8">
          <EmptyState title={t('community.none_title')}>{t('community.none_text')}</EmptyState>
        </div>
      ) : null}
      <Pagination
        page={page}
        previous={page > 1 ? `/communities?page=${page - 1}` : undefined}
        next={hasNext ? `/communities?page=${page + 1}` : undefined}
      />
    </div>
  );
}

type ListProps = { id: string; title: string; isTitleHidden?: boolean; communities: Summary[]; isSignedIn: boolean };

function List({ id, title, isTitleHidden, communities, isSignedIn }: ListProps) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className={isTitleHidden ? 'sr-only' : 'text-2xl'}>
        {title}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {communities.map((community) => (
          <Item key={community.slug} community={community} isSignedIn={isSignedIn} />
        ))}
      </ul>
    </section>
  );
}

function Item({ community, isSignedIn }: { community: Summary; isSignedIn: boolean }) {
  const { t } = useText();
  const { slug, title, description, memberCount, activityCount, privacy, membership } = community;
  return (
    <li className="grid gap-x-7 gap-y-4 py-6 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <Link
        to={`/communities/${slug}`}
        tabIndex={-1}
        aria-hidden="true"
        className="aspect-16/6 overflow-hidden rounded sm:aspect-16/10"
      >
        <Cover slug={slug} />
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 dir="auto" className="text-2xl">
            <Link to={`/communities/${slug}`} className="title-link">
              {title}
            </Link>
          </h3>
          <p dir="auto" className="mt-1 max-w-xl text-muted">
            {description}
          </p>
          <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
            <span>{t('community.members_count', { count: memberCount })}</span>
            <span>{t('community.posts_count', { count: activityCount })}</span>
            {privacy.startsWith('closed') ? <span>{t('community.privacy_closed')}</span> : null}
            {membership?.role === 'owner' ? (
              <span className="font-semibold text-ink">{t('community.you_own')}</span>
            ) : null}
          </p>
        </div>
        {membership?.status === 'active' || !isSignedIn ? null : (
          <Join community={community} isSignedIn={isSignedIn} small />
        )}
      </div>
    </li>
  );
}
