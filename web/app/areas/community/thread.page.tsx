import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router';
import { readActivity, readCommunity } from '@officium/contract/community';
import { readCommunitySettings } from '@officium/contract/community-settings';
import { act, load } from '../../server/api.ts';
import { loadSources, loadTranslations } from '../../server/translation.load.ts';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Head } from '../../ui/head.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { factsOfPerson } from '../../ui/person.tsx';
import { LinkArea } from '../../ui/link-area.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { Poll } from '../../ui/poll.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { TextTranslationLine, TranslationsProvider, useTranslation } from '../../ui/translated.tsx';
import type { Route } from './+types/thread.page';
import { loadFollow } from '../../server/follow.load.ts';
import { FollowMenu } from '../../ui/lazy-follow-menu.tsx';
import { loadAsides, Removal, ReportForm } from './lazy-forms.tsx';
import { CommunityCrumb } from './community-head.tsx';
import { PostEditor } from './edit-forms.tsx';
import { useDeletionState } from '../../ui/deletion.ts';
import { DeletionNotice } from '../../ui/deletion-notice.tsx';
import { isAnsweredInPlace } from './in-place.ts';
import { Like } from './like.tsx';
import { LinkPreview } from './link-preview.tsx';
import { toPost, type CommunityData, type PostData } from './model.ts';
import { PostMenu } from './post-menu.tsx';
import { PostHead } from './post-head.tsx';
import { Replies } from './replies.tsx';
import { Wait } from './pace.tsx';
import { namesOfRules, RulesProvider } from './rules.tsx';
import { SharedCard } from './lazy-shared-card.tsx';
import { loadShared } from './shared.load.ts';
import { answerThread } from './thread.act.ts';
import {
  queriesOfTranslation,
  queryOfReply,
  queryOfThread,
  replyOfHash,
  threadOf,
  type ThreadAddress,
} from './thread-address.ts';
import { loadReplies } from './thread.loader.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await load(request, context);
  const { api, attempt, viewer, locale, origin, url } = args;
  const { slug, id } = params;
  const view = threadOf(url.searchParams);
  const translated = view.translated?.map((text) => ({
    id: text,
    payloadType: text === id.toLowerCase() ? ('activity_payload' as const) : ('reaction_payload' as const),
  }));
  const [community, activity, thread, settings, sources, made, follow, shared] = await Promise.all([
    api(readCommunity, { params: { slug }, query: { locale } }),
    api(readActivity, { params: { slug, id }, query: { locale } }),
    viewer && !viewer.limited ? loadReplies({ api, attempt }, { slug, id, edit: view.edit }, view) : null,
    viewer ? api(readCommunitySettings, { params: { slug } }) : null,
    loadSources(args),
    loadTranslations(args, translated ?? []),
    loadFollow(args, { thread: id }),
    loadShared(args, slug, [id]),
    loadAsides(),
  ]);
  const isOwn = activity.actor.id === viewer?.id;
  return {
    community,
    viewer: viewer && {
      id: viewer.id,
      name: viewer.name,
      thumbnail: viewer.thumbnail,
      limited: viewer.limited,
      muted: follow?.mutedPeople,
    },
    post: toPost(activity, { isWhole: true, shared }),
    thread,
    translations: { sources, made },
    rules: namesOfRules(settings?.rules ?? []),
    waitSeconds: settings?.waitSeconds.reply ?? 0,
    origin,
    description: plainText(activity.bodyHtml ?? '', 200),
    isOwn,
    follow: follow?.follow ?? null,
    source: view.edit === id ? { body: activity.body ?? '', additional: activity.additional_data } : null,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await answerThread(await act(request, context), params);
}

/** Opening a form to reply, report or remove needs no new data. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl, defaultShouldRevalidate } = args;
  if (isAnsweredInPlace(args)) return false;
  if (formMethod && formMethod !== 'GET') return defaultShouldRevalidate;
  const loaded = (url: URL) => {
    const { edit, ...view } = threadOf(url.searchParams);
    return url.pathname + queryOfThread(view) + (edit ?? '') + String(url.searchParams.has('again'));
  };
  return loaded(currentUrl) === loaded(nextUrl) && currentUrl.href !== nextUrl.href ? false : defaultShouldRevalidate;
}

export default function Thread({ loaderData }: Route.ComponentProps) {
  const { community, post, thread, viewer, description, origin } = loaderData;
  const { t } = useText();
  const [search] = useSearchParams();
  const address = threadOf(search);
  useFarReply(loaderData.thread !== null, address);
  const { slug, title, privacy } = community;
  const name = post.title ?? t('community.post_by', { name: post.author.name });
  return (
    <div className="page py-6 md:py-10">
      <Head
        title={`${name} · ${title}`}
        description={description || community.description}
        pictureTitle={name}
        trail={[
          { name: t('community.list_title'), path: '/communities' },
          { name: title, path: `/communities/${slug}` },
        ]}
        type="article"
        isPrivate={privacy !== 'open-visible'}
      />
      {import.meta.env.SSR && !viewer && (
        <JsonLd data={factsOf(post, community, { origin, text: description, name })} />
      )}
      <LinkArea className="mx-auto max-w-read [&_.prose]:max-w-none">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <CommunityCrumb slug={slug} title={title} />
          <FollowMenu follow={loaderData.follow} />
        </div>
        <TranslationsProvider value={loaderData.translations}>
          <RulesProvider value={loaderData.rules}>
            <PostArticle {...loaderData} name={name} address={address} />
            <Wait seconds={loaderData.waitSeconds} />
            <Replies {...{ community, thread, viewer, address }} author={post.author.id} count={post.replies} />
          </RulesProvider>
        </TranslationsProvider>
      </LinkArea>
    </div>
  );
}

/** Navigates to the page with the reply in the URL fragment: mails and old links contain only that. */
function useFarReply(isShown: boolean, { at }: ThreadAddress): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const id = replyOfHash(hash);
  useEffect(() => {
    if (isShown && id && id !== at && !document.getElementById(id)) void navigate(queryOfReply(id), { replace: true });
  }, [isShown, id, at, navigate]);
}

type LoaderData = Route.ComponentProps['loaderData'];

function PostArticle(props: LoaderData & { name: string; address: ThreadAddress }) {
  const { post, name } = props;
  const { t } = useText();
  const deletion = useDeletionState(post.id);
  useLeaveWhenGone(props, deletion === 'gone');
  const translation = useTranslation(post.id);
  const titleId = `title-${post.id}`;
  const isPending = deletion !== undefined && deletion !== 'failed';
  return (
    <article id={post.id} tabIndex={-1} className="mt-6 outline-none" aria-labelledby={titleId}>
      <h1
        id={titleId}
        lang={post.title ? (translation?.locale ?? post.locale) : undefined}
        dir="auto"
        className={post.title ? 'mb-5 text-4xl md:text-5xl' : 'sr-only'}
      >
        {translation?.title ?? name}
      </h1>
      {deletion === 'failed' ? (
        <p role="alert" className="mb-4 font-semibold text-danger">
          {t('thread.not_deleted')}
        </p>
      ) : null}
      {isPending ? (
        <DeletionNotice id={post.id} state={deletion}>
          {t(post.poll ? 'thread.going_poll' : 'thread.going_post', { count: post.replies })}
        </DeletionNotice>
      ) : (
        <Post {...props} titleId={titleId} />
      )}
    </article>
  );
}

/** Returns to the community when the post has been deleted here. */
function useLeaveWhenGone({ community, post }: LoaderData, isGone: boolean): void {
  const { t } = useText();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isGone) return;
    announce(t(post.poll ? 'community.poll_removed' : 'community.post_removed'));
    void navigate(`/communities/${community.slug}`, { replace: true });
  }, [isGone, community.slug, post.poll, navigate, t]);
}

function Post(props: LoaderData & { titleId: string; address: ThreadAddress }) {
  const { community, post, viewer, titleId, address, isOwn, source } = props;
  const { slug } = community;
  const { can } = post;
  const translation = useTranslation(post.id);
  const lang = translation?.locale ?? post.locale;
  const html = translation?.bodyHtml ?? post.html;
  return (
    <>
      <PostHead post={post} community={community} />
      {address.edit === post.id && can.edit && source ? (
        <PostEditor post={post} categories={community.categories} source={source} address={address} />
      ) : html ? (
        <div className="mt-5">
          <RichText html={html} people={post.people} lang={lang} />
          {viewer && !viewer.limited ? <LinkPreview html={html} /> : null}
        </div>
      ) : null}
      <SharedCard shared={post.shared} />
      {post.poll ? (
        <div className="mt-5">
          <Poll
            poll={post.poll}
            words={translation?.options}
            community={slug}
            lang={lang}
            labelledBy={titleId}
            canVote={can.react}
          />
        </div>
      ) : null}
      {address.edit === post.id ? null : (
        <div className="mt-2">
          <TextTranslationLine id={post.id} lang={post.locale} {...queriesOfTranslation(address, post.id)} />
        </div>
      )}
      {address.remove === post.id && can.delete ? (
        <Removal
          slug={slug}
          kind={post.poll ? 'poll' : 'post'}
          id={post.id}
          replies={post.replies}
          address={address}
          isOthers={!isOwn}
        />
      ) : (
        <div className="mt-4 flex items-center gap-6">
          <Like community={slug} id={post.id} count={post.likes} own={post.ownLike} canLike={can.react} />
          <PostMenu post={post} community={slug} address={address} />
        </div>
      )}
      {address.report === post.id && can.report ? <ReportForm id={post.id} address={address} /> : null}
    </>
  );
}

function factsOf(post: PostData, community: CommunityData, page: { origin: string; text: string; name: string }) {
  const address = `${page.origin}/communities/${community.slug}/activities/${post.id}`;
  const count = (type: string, value: number) => ({
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${type}`,
    userInteractionCount: value,
  });
  return {
    '@type': 'DiscussionForumPosting',
    '@id': address,
    url: address,
    headline: page.name,
    text: page.text || page.name,
    inLanguage: post.locale,
    datePublished: post.createdAt,
    author: factsOfPerson(post.author, page.origin),
    isPartOf: {
      '@type': 'WebPage',
      name: community.title,
      url: `${page.origin}/communities/${community.slug}`,
    },
    interactionStatistic: [count('LikeAction', post.likes), count('CommentAction', post.replies)],
  };
}
