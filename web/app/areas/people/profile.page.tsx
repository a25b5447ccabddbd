import { data, Link } from 'react-router';
import { CONNECTION_REST_DAYS, readConnection, readProfile } from '@officium/contract/account';
import type { ReplyOf } from '@officium/contract/endpoint';
import { listProfileActivities } from '@officium/contract/people';
import { pageNumberOf } from '../../form/page-number.ts';
import { loadSignedIn } from '../../server/api.ts';
import { loadFollow } from '../../server/follow.load.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { FollowMenu } from '../../ui/follow-menu.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Route } from './+types/profile.page';
import { Badges } from './badges.tsx';
import { Connect } from './connect.tsx';
import { Posts, toPostLine, type PostPage } from './posts.tsx';
import type { ProfileData } from './profile-data.ts';
import { ProfileHead } from './profile-head.tsx';

const PAGE_SIZE = 10;
const DAY_MS = 86_400_000;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { attempt, viewer, locale, url } = await loadSignedIn(request, context);
  const isOwn = params.id === 'me' || params.id.toLowerCase() === viewer.id;
  const isPreview = isOwn && url.searchParams.get('view') === 'others';
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const id = isOwn ? viewer.id : params.id;
  const [read, connection, feed, follow] = await Promise.all([
    attempt(readProfile, { params: { id }, query: { locale, ...(isPreview ? { as: 'others' } : {}) } }),
    isOwn ? null : attempt(readConnection, { params: { id } }),
    isPreview
      ? null
      : attempt(listProfileActivities, {
          params: { id },
          query: { locale, limit: String(PAGE_SIZE), offset: String(offset) },
        }),
    isOwn ? null : loadFollow({ attempt, viewer }, { person: id }),
  ]);
  // An invalid id is shown as an unknown person too.
  if (!read.ok && (read.failure.status === 404 || read.failure.status === 400)) return data(null, { status: 404 });
  if (!read.ok) throw data(read.failure, { status: read.failure.status });
  if (feed && !feed.ok) throw data(feed.failure, { status: feed.failure.status });
  if (connection && !connection.ok && connection.failure.status !== 404)
    throw data(connection.failure, { status: connection.failure.status });

  const standing = connection?.ok ? connection.body : null;
  const address = (number: number) => `/people/${id}${number > 1 ? `?page=${number}` : ''}`;
  const posts: PostPage | null = feed && {
    lines: feed.body.results.map(toPostLine),
    page,
    previous: page > 1 ? address(page - 1) : undefined,
    next: feed.body.nextOffset === null ? undefined : address(page + 1),
  };
  return {
    profile: read.body,
    isOwn,
    isPreview,
    connection: standing,
    mayAskFrom: mayAskFrom(standing),
    posts,
    follow: follow?.follow ?? null,
  };
}

/** When the viewer may ask again after a decline; null: now. */
function mayAskFrom(connection: ReplyOf<typeof readConnection> | null): string | null {
  if (connection?.status !== 'declined' || connection.direction !== 'outgoing') return null;
  const from = Date.parse(connection.updatedAt) + CONNECTION_REST_DAYS * DAY_MS;
  return from > Date.now() ? new Date(from).toISOString() : null;
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Nobody />;
  const { profile, isOwn, isPreview, connection, mayAskFrom, posts, follow } = loaderData;
  const isHidden = profile.visibility === 'private' && profile.joinedAt === null;
  return (
    <article className="page max-w-5xl py-10 md:py-14">
      <Head title={profile.name} isPrivate />
      {isPreview ? <Preview isHidden={isHidden} /> : null}
      <ProfileHead profile={profile} isOwn={isOwn && !isPreview}>
        {isOwn ? null : (
          <>
            <Connect key={profile.id} peer={profile} connection={connection} mayAskFrom={mayAskFrom} />
            {follow ? <FollowMenu follow={follow} /> : null}
          </>
        )}
      </ProfileHead>
      {isHidden ? (
        <Hidden canAsk={!isOwn && connection?.status !== 'pending' && !mayAskFrom} />
      ) : (
        <div className="mt-8 grid gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="grid min-w-0 content-start gap-10">
            <Biography profile={profile} isOwn={isOwn && !isPreview} />
            {posts ? <Posts posts={posts} name={profile.name} isOwn={isOwn} /> : null}
          </div>
          <div className="grid content-start gap-10">
            <Badges profile={profile} />
            <Communities profile={profile} />
          </div>
        </div>
      )}
    </article>
  );
}

/** Unknown or deleted user: the two cannot be distinguished. */
function Nobody() {
  const { t } = useText();
  return (
    <div className="page py-16 md:py-24">
      <Head title={t('people.gone_title')} isPrivate />
      <h1 className="text-4xl">{t('people.gone_title')}</h1>
      <p className="mt-4 max-w-2xl text-lg text-muted">{t('people.gone_text')}</p>
      <LinkButton to="/communities" className="mt-8">
        {t('common.communities')}
      </LinkButton>
    </div>
  );
}

function Preview({ isHidden }: { isHidden: boolean }) {
  const { t } = useText();
  return (
    <div className="mb-8">
      <Notice>
        <p>{t(isHidden ? 'people.as_others_private' : 'people.as_others')}</p>
        <Link to="/people/me" className="link inline-block py-2">
          {t('people.back_to_own')}
        </Link>
      </Notice>
    </div>
  );
}

function Hidden({ canAsk }: { canAsk: boolean }) {
  const { t } = useText();
  return (
    <div className="mt-8 max-w-2xl text-muted">
      <p>{t('people.private')}</p>
      {canAsk ? <p className="mt-1">{t('people.private_connect')}</p> : null}
    </div>
  );
}

function Biography({ profile, isOwn }: { profile: ProfileData; isOwn: boolean }) {
  const { t } = useText();
  if (profile.biography)
    return (
      <p className="max-w-[68ch] font-serif text-lg whitespace-pre-line" dir="auto">
        {profile.biography}
      </p>
    );
  return isOwn ? <p className="text-muted">{t('people.no_biography')}</p> : null;
}

function Communities({ profile }: { profile: ProfileData }) {
  const { t } = useText();
  if (profile.communities.length === 0) return null;
  return (
    <section aria-labelledby="communities">
      <h2 id="communities" className="text-2xl">
        {t('common.communities')}
      </h2>
      <ul className="mt-2 divide-y divide-line">
        {profile.communities.map(({ slug, title, role }) => (
          <li key={slug} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
            <Link className="link inline-block py-2" to={`/communities/${slug}`} dir="auto">
              {title}
            </Link>
            {role === 'owner' ? <Tag>{t('people.owner')}</Tag> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
