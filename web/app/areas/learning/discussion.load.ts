import {
  listLessonActivities,
  listLessonChildReactions,
  listLessonReactions,
} from '@officium/contract/lesson-discussions';
import { addressOf } from '@officium/contract/client';
import { uploadLessonPicture } from '@officium/contract/post-pictures';
import { listLessonShares } from '@officium/contract/lesson-shares';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Locale } from '@officium/i18n/locales';
import type { load } from '../../server/api.ts';
import { loadSources, loadTranslations } from '../../server/translation.load.ts';
import type { TextTranslation } from '../../translation.ts';

const PAGE = 10;
const REPLIES = 100;
const MAX_DEPTH = 3;
/** Lower than every UUIDv7: with `id_gt` it means "from the start, oldest first". */
const FIRST = '00000000-0000-0000-0000-000000000000';

export type LessonIds = { courseId: string; journeyId: string; lessonId: string };

/** A post in a community that shares a contribution. */
export type SharedIn = { slug: string; title: string; post: string };

/** A contribution or a reply, prepared for display. */
export type Post = {
  id: string;
  /** 0: a contribution; 1 to 3: a reply, a reply to it, and so on. */
  depth: number;
  html: string;
  lang: Locale;
  /** The source text, for viewers who may edit it. */
  source: string | null;
  author: { id: string; name: string; thumbnail: string | null; about: string };
  people: Record<string, string>;
  createdAt: string;
  isEdited: boolean;
  isPinned: boolean;
  likes: number;
  /** Id of the viewer's own like. */
  ownLike: string | null;
  /** The posts that share it; none for replies. */
  sharedIn: SharedIn[];
  replies: Post[];
  can: { edit: boolean; delete: boolean; reply: boolean; report: boolean; share: boolean };
};
/** Placeholder of a deleted reply that has replies. */
export type Gap = { id: string; depth: number; isDeleted: true; replies: Thread[] };
export type Thread = (Omit<Post, 'replies'> & { isDeleted?: false; replies: Thread[] }) | Gap;

export type Talk = {
  threads: Thread[];
  total: number;
  /** The API address for pictures in it. */
  picturesTo: string;
  /** The viewer moderates it. */
  canModerate: boolean;
  /** Offsets of the previous and next page. */
  earlier: number | null;
  later: number | null;
  /** Languages that can be translated, and the translated posts by id. */
  translations: { sources: string[]; made: Record<string, TextTranslation> };
};

type Args = Pick<Awaited<ReturnType<typeof load>>, 'api' | 'attempt' | 'viewer' | 'url' | 'locale'>;
type Activity = ReplyOf<typeof listLessonActivities>['results'][number];
type AnyReaction = ReplyOf<typeof listLessonReactions>['results'][number];
type Reaction = Extract<AnyReaction, { kind: string }>;
type ViewerRights = { id: string; canReply: boolean; canModerate: boolean };

/** The contributions to a lesson with all their replies; null when the viewer may not see them. */
export async function readDiscussion(args: Args, ids: LessonIds, viewerId: string): Promise<Talk | null> {
  const { attempt, url, locale } = args;
  const from = Math.min(Number(/^\d{1,5}$/.exec(url.searchParams.get('from') ?? '')?.[0] ?? 0), 10_000);
  const page = await attempt(listLessonActivities, {
    params: ids,
    query: { limit: String(PAGE), offset: String(from), locale },
  });
  if (!page.ok) return null;

  const query = { kind: 'reply', limit: String(REPLIES), id_gt: FIRST } as const;
  const repliesOf = async (activity: Activity): Promise<Thread[]> => {
    if (activity.reaction_counts.reply === 0) return [];
    const found = await attempt(listLessonReactions, { params: { ...ids, activityId: activity.id }, query });
    const viewer = { id: viewerId, canReply: activity.can.reply, canModerate: activity.can.pin };
    return found.ok ? Promise.all(found.body.results.map((reaction) => threadOf(reaction, 1, viewer))) : [];
  };
  const threadOf = async (reaction: AnyReaction, depth: number, viewer: ViewerRights): Promise<Thread> => {
    const hasReplies = reaction.children_counts.reply > 0;
    const below = hasReplies
      ? await attempt(listLessonChildReactions, { params: { ...ids, reactionId: reaction.id }, query })
      : undefined;
    const replies = below?.ok
      ? await Promise.all(below.body.results.map((child) => threadOf(child, depth + 1, viewer)))
      : [];
    if (!('kind' in reaction)) return { id: reaction.id, depth, isDeleted: true, replies };
    return { ...postOfReaction(reaction, depth, viewer), replies };
  };

  const { results, total, nextOffset } = page.body;
  const sharedIn = sharesOf(args, ids, results);
  const threads = await Promise.all(
    results.map(async (activity) => ({
      ...postOfActivity(activity),
      sharedIn: (await sharedIn).get(activity.id) ?? [],
      replies: await repliesOf(activity),
    })),
  );
  const wanted = url.searchParams.getAll('translate');
  const [sources, made] = await Promise.all([
    loadSources(args),
    loadTranslations(
      args,
      postsOf(threads)
        .filter(({ id }) => wanted.includes(id))
        .map(({ id, depth }) => ({ id, payloadType: depth === 0 ? 'activity_payload' : 'reaction_payload' })),
    ),
  ]);
  const later = from > 0 ? Math.max(from - PAGE, 0) : null;
  const canModerate = results.some(({ can }) => can.pin);
  const picturesTo = addressOf(uploadLessonPicture, { params: ids });
  return { threads, total, picturesTo, canModerate, earlier: nextOffset, later, translations: { sources, made } };
}

/** Where contributions are shared, by their id. */
async function sharesOf({ attempt, locale }: Args, params: LessonIds, activities: Activity[]) {
  const found = new Map<string, SharedIn[]>();
  if (activities.length === 0) return found;
  const query = { activities: activities.map(({ id }) => id).join(','), locale };
  const listed = await attempt(listLessonShares, { params, query });
  for (const { discussionId, activityId, community } of listed.ok ? listed.body.shares : []) {
    const known = found.get(discussionId) ?? [];
    // The newest post of each community.
    if (!known.some(({ slug }) => slug === community.slug)) known.push({ ...community, post: activityId });
    found.set(discussionId, known);
  }
  return found;
}

const postsOf = (threads: Thread[]): Thread[] => threads.flatMap((thread) => [thread, ...postsOf(thread.replies)]);

function postOfActivity(activity: Activity): Omit<Post, 'replies' | 'sharedIn'> {
  return {
    ...common(activity),
    depth: 0,
    html: activity.bodyHtml,
    source: activity.can.edit ? (activity.body[activity.locale] ?? '') : null,
    isPinned: activity.pinned,
    likes: activity.reaction_counts.like,
    can: {
      edit: activity.can.edit,
      delete: activity.can.delete,
      reply: activity.can.reply,
      report: activity.can.report,
      share: activity.can.edit, // both are for its author with level basic
    },
  };
}

function postOfReaction(reaction: Reaction, depth: number, viewer: ViewerRights): Omit<Post, 'replies'> {
  const isOwn = reaction.user_id === viewer.id;
  return {
    ...common(reaction),
    depth,
    html: reaction.bodyHtml ?? '',
    source: isOwn ? (reaction.body ?? '') : null,
    isPinned: false,
    likes: reaction.children_counts.like,
    sharedIn: [],
    can: {
      edit: isOwn && viewer.canReply,
      delete: isOwn || viewer.canModerate,
      reply: viewer.canReply && depth < MAX_DEPTH,
      report: !isOwn,
      share: false,
    },
  };
}

function common(item: Activity | Reaction) {
  const { actor } = item;
  return {
    id: item.id,
    lang: item.locale,
    author: {
      id: actor.id,
      name: actor.name,
      thumbnail: actor.thumbnail,
      about: [actor.jobTitle, actor.organization].filter(Boolean).join(', '),
    },
    people: Object.fromEntries(Object.entries(item.mentioned_users).map(([id, { name }]) => [id, name])),
    createdAt: item.createdAt,
    isEdited: item.editedAt !== undefined,
    ownLike: item.own_reactions.like ?? null,
  };
}
