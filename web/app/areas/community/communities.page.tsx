import { listCommunities, type CommunityKind } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Form, Link } from 'react-router';
import { pageNumberOf } from '../../form/page-number.ts';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
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
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const wish = wishOf(url.searchParams);
  const { communities, total } = await api(listCommunities, {
    query: { locale, limit: String(PAGE_SIZE), offset: String(offset), ...wish },
  });
  return {
    communities,
    total,
    wish,
    isSignedIn: viewer !== null,
    page,
    hasNext: offset + PAGE_SIZE < total,
  };
}

/** The filters in the address. */
type Wish = { find?: string; show?: CommunityKind };

const KINDS: readonly CommunityKind[] = ['mine', 'open', 'closed'];

function wishOf(search: URLSearchParams): Wish {
  const find = search.get('q')?.trim().slice(0, 256);
  return { ...(find && { find }), show: KINDS.find((kind) => kind === search.get('show')) };
}

function addressOf({ find, show }: Wish, page: number): string {
  const search = new URLSearchParams({
    ...(find && { q: find }),
    ...(show && { show }),
    ...(page > 1 && { page: String(page) }),
  });
  return `/communities${search.size ? `?${search}` : ''}`;
}

export default function Communities({ loaderData }: Route.ComponentProps) {
  const { communities, total, wish, isSignedIn, page, hasNext } = loaderData;
  const { t } = useText();
  const isNarrowed = Boolean(wish.find || wish.show);
  return (
    <div className="page py-10 md:py-14">
      <Head title={t('community.list_title')} description={t('community.list_intro')} />
      <h1 className="text-4xl md:text-5xl">{t('community.list_title')}</h1>
      <p className="mt-3 max-w-2xl text-lg text-muted">{t('community.list_intro')}</p>
      <Finder wish={wish} isSignedIn={isSignedIn} />
      {communities.length === 0 ? (
        <div className="mt-8">
          {isNarrowed ? (
            <EmptyState
              title={t('feed.none_title')}
              action={
                <LinkButton to="/communities" look="secondary">
                  {t('feed.clear')}
                </LinkButton>
              }
            >
              {t('feed.none_text')}
            </EmptyState>
          ) : (
            <EmptyState title={t('community.none_title')}>{t('community.none_text')}</EmptyState>
          )}
        </div>
      ) : isNarrowed ? (
        <List id="found" title={t('feed.found', { count: total })} communities={communities} isSignedIn={isSignedIn} />
      ) : (
        <Everything communities={communities} isSignedIn={isSignedIn} />
      )}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(wish, page - 1) : undefined}
        next={hasNext ? addressOf(wish, page + 1) : undefined}
      />
    </div>
  );
}

/** The viewer's own communities first. */
function Everything({ communities, isSignedIn }: Pick<ListProps, 'communities' | 'isSignedIn'>) {
  const { t } = useText();
  const mine = communities.filter((community) => community.membership);
  const others = communities.filter((community) => !community.membership);
  return (
    <>
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
    </>
  );
}

/** Search text and kind filter; both are part of the address. */
function Finder({ wish, isSignedIn }: { wish: Wish; isSignedIn: boolean }) {
  const { t } = useText();
  const { find, show } = wish;
  const kinds = [
    { kind: undefined, label: t('feed.show_all') },
    ...(isSignedIn ? [{ kind: 'mine' as const, label: t('feed.show_mine') }] : []),
    { kind: 'open' as const, label: t('feed.show_open') },
    { kind: 'closed' as const, label: t('feed.show_closed') },
  ];
  return (
    <div className="mt-6 flex flex-wrap items-end gap-x-8 gap-y-4">
      <Form role="search" aria-label={t('feed.find')} className="flex w-full max-w-md items-end gap-2">
        <div className="min-w-0 flex-1">
          <label htmlFor="q" className="mb-1 block text-sm font-semibold">
            {t('feed.find')}
          </label>
          <input
            id="q"
            key={find}
            name="q"
            type="search"
            dir="auto"
            defaultValue={find}
            maxLength={256}
            className="input"
          />
        </div>
        {show ? <input type="hidden" name="show" value={show} /> : null}
        <Button look="secondary">{t('search.submit')}</Button>
      </Form>
      <nav aria-label={t('feed.show')}>
        <ul className="flex flex-wrap gap-2 text-sm">
          {kinds.map(({ kind, label }) => (
            <li key={label}>
              <Link
                to={addressOf({ find, show: kind }, 1)}
                preventScrollReset
                aria-current={kind === show ? 'true' : undefined}
                className="inline-flex min-h-11 items-center rounded-full border border-line px-4 hover:border-accent hover:text-accent aria-[current]:border-ink aria-[current]:bg-ink aria-[current]:text-paper forced-colors:aria-[current]:underline"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
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

const STANDINGS = {
  owner: 'community.you_own',
  member: 'community.you_belong',
  invited: 'feed.invited',
  pending: 'feed.asked',
} as const;

function standingOf({ role, status }: NonNullable<Summary['membership']>): keyof typeof STANDINGS {
  return status === 'active' ? role : status;
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
        <Cover slug={slug} src={community.cover?.url} />
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
            {membership ? <span className="font-semibold text-ink">{t(STANDINGS[standingOf(membership)])}</span> : null}
          </p>
        </div>
        {membership?.status === 'active' || !isSignedIn ? null : (
          <Join community={community} isSignedIn={isSignedIn} small />
        )}
      </div>
    </li>
  );
}
