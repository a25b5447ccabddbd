import { Suspense } from 'react';
import { data, Link, type ShouldRevalidateFunctionArgs } from 'react-router';
import { createActivity, listActivities, readCommunity } from '@officium/contract/community';
import { type CommunitySettings, readCommunitySettings } from '@officium/contract/community-settings';
import { type EventCard, listEvents } from '@officium/contract/events';
import { createCommunityPoll } from '@officium/contract/polls';
import { act, load, refuse } from '../../server/api.ts';
import { loadSources } from '../../server/translation.load.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { TranslationsProvider } from '../../ui/translated.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Head } from '../../ui/head.tsx';
import { PersonLink } from '../../ui/person.tsx';
import { optionalOf } from '../../form/fields.ts';
import type { Route } from './+types/community.page';
import { CommunityHead } from './community-head.tsx';
import { Composer } from './composer.tsx';
import { feedOf, FEED_PAGE_SIZE } from './feed-address.ts';
import { idFrom } from './feed-pages.ts';
import { Feed } from './feed.tsx';
import { loadFollow } from '../../server/follow.load.ts';
import { FollowMenu } from '../../ui/lazy-follow-menu.tsx';
import { loadPictureFields } from '../../editor/lazy-picture-fields.tsx';
import { isAnsweredInPlace } from './in-place.ts';
import { toPost, type CommunityData } from './model.ts';
import { Pace, Wait } from './pace.tsx';
import { RuleList } from './rules.tsx';
import { bodyWithPicture, keepBody } from '../../editor/picture.act.ts';
import { pictureSender } from './upload-picture.act.ts';
import { loadShared } from './shared.load.ts';
import { categoriesOf } from './write-fields.tsx';
import { localeOfText, pollOf, toPollFormIssues } from './write.ts';

// Few communities have events.
const upcoming = lazyPart(async () => (await import('../../ui/upcoming-events.tsx')).UpcomingEvents);

/** Rules shown at the side; all of them have their own page. */
const SHOWN_RULES = 5;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await load(request, context);
  const { api, attempt, viewer, locale, url } = args;
  const view = feedOf(url.searchParams);
  const { offset, category, ranking } = view;
  // Taken before the feed is read: announcing a post twice is better than missing one.
  const since = idFrom(Date.now());
  const query = { locale, offset: String(offset), limit: String(FEED_PAGE_SIZE), category, ranking };
  const [community, feed, settings, sources, events, follow] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    attempt(listActivities, { params, query }),
    api(readCommunitySettings, { params }),
    loadSources(args),
    attempt(listEvents, { query: { community: params.slug, locale, limit: '3' } }),
    loadFollow(args, { community: params.slug }),
    upcoming.load(),
    loadPictureFields(),
  ]);
  // 401 and 403: the viewer may see the page, but not its posts.
  if (!feed.ok && feed.failure.status !== 401 && feed.failure.status !== 403)
    throw data(feed.failure, { status: feed.failure.status });
  // A share has no text of its own, so that most pages ask for nothing; a text added later leaves the card to the thread.
  const bare = feed.ok ? feed.body.results.filter(({ verb, body }) => verb === 'post' && body === null) : [];
  const shared = await loadShared(
    args,
    params.slug,
    bare.map(({ id }) => id),
  );
  return {
    community,
    view,
    author: viewer && { name: viewer.name, thumbnail: viewer.thumbnail },
    page: feed.ok
      ? {
          offset,
          posts: feed.body.results.map((activity) => toPost(activity, { muted: follow?.mutedPeople, shared })),
          next: feed.body.nextOffset,
        }
      : null,
    since,
    settings,
    follow: follow?.follow ?? null,
    events: events.ok ? events.body.events : [],
    translations: { sources, made: {} },
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const acting = await act(request, context);
  const { attempt, fields } = acting;
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
  const written = await bodyWithPicture(acting, pictureSender(acting, slug));
  if (written.refusal) return written.refusal;
  const body = {
    title: optionalOf(fields, 'title'),
    body: written.body,
    categories: categoriesOf(fields),
    locale: localeOfText(fields),
  };
  const posted = await attempt(createActivity, { params, body });
  return posted.ok
    ? redirectWith(`/communities/${slug}/activities/${posted.body.id}`, { key: 'community.posted' })
    : keepBody(posted.refusal, written.body);
}

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return isAnsweredInPlace(args) ? false : args.defaultShouldRevalidate;
}

export default function Community({ loaderData }: Route.ComponentProps) {
  const { community, view, author, page, since, settings, events } = loaderData;
  const { t } = useText();
  const { slug, title, description, privacy, permissions } = community;
  return (
    <>
      <Head
        title={title}
        description={description}
        pictureCover={community.cover?.url}
        isPrivate={privacy !== 'open-visible'}
        trail={[{ name: t('community.list_title'), path: '/communities' }]}
        feed={`/communities/${slug}/feed.xml`}
      />
      <CommunityHead community={community} isSignedIn={author !== null}>
        <FollowMenu follow={loaderData.follow} />
      </CommunityHead>
      {community.waiting ? <Waiting slug={slug} waiting={community.waiting} /> : null}
      <div className="page grid justify-between gap-x-14 gap-y-10 pt-2 pb-14 lg:grid-cols-[minmax(0,41rem)_17rem]">
        <div className="min-w-0 [&_.prose]:max-w-none">
          {author && permissions.canPost ? (
            <>
              <Wait seconds={settings.waitSeconds.post} />
              <Composer title={title} categories={community.categories} author={author} />
            </>
          ) : null}
          {author && community.membership?.status === 'active' && !permissions.canPost ? <OnlyReading /> : null}
          {page ? (
            <TranslationsProvider value={loaderData.translations}>
              <Feed {...{ community, view, page, since }} />
            </TranslationsProvider>
          ) : (
            <Closed title={title} />
          )}
        </div>
        <Aside slug={slug} community={community} settings={settings} events={events} />
      </div>
    </>
  );
}

type WaitingProps = { slug: string; waiting: NonNullable<CommunityData['waiting']> };

/** Open requests and reports, for moderators. */
function Waiting({ slug, waiting: { requests, reports } }: WaitingProps) {
  const { t } = useText();
  if (requests + reports === 0) return null;
  return (
    <div className="page">
      <ul className="mb-6 flex flex-wrap gap-x-8 border-s-4 border-marigold ps-4">
        {requests ? (
          <li>
            <Link to={`/communities/${slug}/members`} className="link inline-block py-1.5">
              {t('community.requests', { count: requests })}
            </Link>
          </li>
        ) : null}
        {reports ? (
          <li>
            <Link to={`/communities/${slug}/reports`} className="link inline-block py-1.5">
              {t('thread.reports_count', { count: reports })}
            </Link>
          </li>
        ) : null}
      </ul>
    </div>
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

type AsideProps = { slug: string; community: CommunityData; settings: CommunitySettings; events: EventCard[] };

function Aside({ slug, community, settings, events }: AsideProps) {
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
      {events.length ? (
        <div className="border-t border-line pt-5">
          <Suspense>
            <upcoming.Part events={events} small />
          </Suspense>
        </div>
      ) : null}
      {settings.rules.length || settings.canEdit ? (
        <section className="border-t border-line pt-5">
          <h2 className="text-xl">{t('moderation.rules')}</h2>
          <div className="mt-2">
            <RuleList rules={settings.rules.slice(0, SHOWN_RULES)} lang={settings.locale} />
          </div>
          <Pace settings={settings} />
          <p className="mt-1 flex flex-wrap gap-x-5">
            <Link to={`/communities/${slug}/rules`} className="link inline-block py-1.5">
              {t('moderation.rules_all')}
            </Link>
            {settings.canEdit ? (
              <Link to={`/communities/${slug}/settings`} className="link inline-block py-1.5">
                {t('moderation.settings')}
              </Link>
            ) : null}
          </p>
        </section>
      ) : (
        <Pace settings={settings} />
      )}
    </aside>
  );
}
