import { redirect, useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router';
import {
  createActivityReaction,
  createChildReaction,
  deleteActivity,
  deleteReaction,
  readActivity,
  readCommunity,
  updateActivity,
  updateReaction,
} from '@officium/contract/community';
import { removeCommunityPoll } from '@officium/contract/polls';
import { act, load } from '../../api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { LinkArea } from '../../ui/link-area.tsx';
import { Poll } from '../../ui/poll.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import type { Route } from './+types/thread.page';
import { CommunityCrumb } from './community-head.tsx';
import { PostEditor } from './edit-forms.tsx';
import { plainOf } from './excerpt.ts';
import { optionalOf, textOf } from './fields.ts';
import { isAnsweredInPlace } from './in-place.ts';
import { Like } from './like.tsx';
import { toPost, type CommunityData, type PostData } from './model.ts';
import { PostMenu } from './post-menu.tsx';
import { PostHead } from './post.tsx';
import { Removal } from './removal.tsx';
import { Replies } from './replies.tsx';
import { queryOfThread, threadOf, type ThreadAddress } from './thread-address.ts';
import { loadReplies } from './thread.loader.ts';
import { categoriesOf } from './write-fields.tsx';
import { additionalOf, localeOfText } from './write.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, viewer, locale, origin, url } = await load(request, context);
  const { slug, id } = params;
  const view = threadOf(url.searchParams);
  const [community, activity, thread] = await Promise.all([
    api(readCommunity, { params: { slug }, query: { locale } }),
    api(readActivity, { params: { slug, id }, query: { locale } }),
    viewer && !viewer.limited ? loadReplies({ api, attempt }, { slug, id, edit: view.edit }, view) : null,
  ]);
  const isOwn = activity.actor.id === viewer?.id;
  return {
    community,
    viewer: viewer && { id: viewer.id, name: viewer.name, thumbnail: viewer.thumbnail },
    post: toPost(activity, true),
    thread,
    origin,
    description: plainOf(activity.bodyHtml ?? '', 200),
    canEdit: isOwn && activity.verb === 'post' && community.permissions.canPost,
    canDelete: community.permissions.canModerate || (isOwn && community.permissions.canPost),
    source: view.edit === id ? { body: activity.body ?? '', additional: activity.additional_data } : null,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const { slug, id } = params;
  const here = `/communities/${slug}/activities/${id}`;
  const view = threadOf(url.searchParams);
  const back = here + queryOfThread(view);
  const intent = textOf(fields, 'intent');

  if (intent.startsWith('reply')) {
    const parent = optionalOf(fields, 'parent');
    const done = await attempt(parent ? createChildReaction : createActivityReaction, {
      params: { slug, id: parent ?? id },
      body: { kind: 'reply', body: textOf(fields, 'body'), locale: localeOfText(fields) },
    });
    if (!done.ok) return done.refusal;
    // A new reply to the post stands at the end; shown newest first it is there at once, whatever the page.
    const isLast = !parent && (view.after !== undefined || textOf(fields, 'hasNext') !== '');
    const to = isLast ? `${here}?order=newest` : back;
    return redirectWith(`${to}#${done.body.id}`, { key: 'community.replied' });
  }
  if (intent === 'edit-post') {
    const body = {
      title: optionalOf(fields, 'title'),
      body: textOf(fields, 'body'),
      categories: categoriesOf(fields),
      additional_data: additionalOf(fields),
    };
    const done = await attempt(updateActivity, { params: { slug, id }, body });
    return done.ok ? redirectWith(back, { key: 'common.saved' }) : done.refusal;
  }
  const target = textOf(fields, 'target');
  if (intent.startsWith('edit-reply')) {
    const body = { body: textOf(fields, 'body'), additional_data: additionalOf(fields) };
    const done = await attempt(updateReaction, { params: { slug, id: target }, body });
    return done.ok ? redirectWith(`${back}#${target}`, { key: 'common.saved' }) : done.refusal;
  }
  if (intent === 'remove-reply') {
    const done = await attempt(deleteReaction, { params: { slug, id: target } });
    return done.ok ? redirectWith(`${back}#replies`, { key: 'community.reply_removed', tone: 'info' }) : done.refusal;
  }
  if (intent === 'remove-post' || intent === 'remove-poll') {
    const done =
      intent === 'remove-poll'
        ? await attempt(removeCommunityPoll, { params: { slug, id } })
        : await attempt(deleteActivity, { params: { slug, id } });
    const key = intent === 'remove-poll' ? 'community.poll_removed' : 'community.post_removed';
    return done.ok ? redirectWith(`/communities/${slug}`, { key, tone: 'info' }) : done.refusal;
  }
  return redirect(back);
}

/** Opening a form to reply or to remove needs nothing new. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl, defaultShouldRevalidate } = args;
  if (isAnsweredInPlace(args)) return false;
  if (formMethod && formMethod !== 'GET') return defaultShouldRevalidate;
  const loaded = (url: URL) => {
    const { edit, ...view } = threadOf(url.searchParams);
    return url.pathname + queryOfThread(view) + (edit ?? '');
  };
  return loaded(currentUrl) === loaded(nextUrl) && currentUrl.href !== nextUrl.href ? false : defaultShouldRevalidate;
}

export default function Thread({ loaderData }: Route.ComponentProps) {
  const { community, post, thread, viewer, description, origin } = loaderData;
  const { t } = useText();
  const [search] = useSearchParams();
  const address = threadOf(search);
  const { slug, title, privacy } = community;
  const name = post.title ?? t('community.post_by', { name: post.author.name });
  return (
    <div className="page py-6 md:py-10">
      <Head
        title={`${name} · ${title}`}
        description={description || community.description}
        type="article"
        isPrivate={privacy !== 'open-visible'}
      />
      {viewer ? null : <JsonLd data={factsOf(post, community, { origin, text: description, name })} />}
      <LinkArea className="mx-auto max-w-read [&_.prose]:max-w-none">
        <CommunityCrumb slug={slug} title={title} />
        <PostArticle {...loaderData} name={name} address={address} />
        <Replies {...{ community, thread, viewer, address }} count={post.replies} />
      </LinkArea>
    </div>
  );
}

type LoaderData = Route.ComponentProps['loaderData'];

function PostArticle(props: LoaderData & { name: string; address: ThreadAddress }) {
  const { community, post, name, address, canEdit, canDelete, source } = props;
  const { slug, permissions } = community;
  const titleId = `title-${post.id}`;
  return (
    <article id={post.id} className="mt-6" aria-labelledby={titleId}>
      <h1
        id={titleId}
        lang={post.title ? post.locale : undefined}
        dir="auto"
        className={post.title ? 'mb-5 text-4xl md:text-5xl' : 'sr-only'}
      >
        {name}
      </h1>
      <PostHead post={post} community={slug} />
      {address.edit === post.id && canEdit && source ? (
        <PostEditor post={post} categories={community.categories} source={source} address={address} />
      ) : post.html ? (
        <div className="mt-5">
          <RichText html={post.html} people={post.people} lang={post.locale} />
        </div>
      ) : null}
      {post.poll ? (
        <div className="mt-5">
          <Poll
            poll={post.poll}
            community={slug}
            lang={post.locale}
            labelledBy={titleId}
            canVote={permissions.canReact}
          />
        </div>
      ) : null}
      {address.remove === post.id && canDelete ? (
        <Removal kind={post.poll ? 'poll' : 'post'} replies={post.replies} address={address} />
      ) : (
        <div className="mt-4 flex items-center gap-6">
          <Like community={slug} id={post.id} count={post.likes} own={post.ownLike} canLike={permissions.canReact} />
          <PostMenu
            post={post}
            community={slug}
            address={address}
            canEdit={canEdit}
            canDelete={canDelete}
            canPin={permissions.canModerate}
          />
        </div>
      )}
    </article>
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
    author: { '@type': 'Person', name: post.author.name, url: `${page.origin}/people/${post.author.id}` },
    isPartOf: {
      '@type': 'WebPage',
      name: community.title,
      url: `${page.origin}/communities/${community.slug}`,
    },
    interactionStatistic: [count('LikeAction', post.likes), count('CommentAction', post.replies)],
  };
}
