import type { listActivities, listActivityReactions, listMembers, readCommunity } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Person } from '../../ui/person.tsx';
import type { PollData } from '../../ui/poll.tsx';
import { withoutFewVotes } from '../../ui/poll-few.ts';
import { namesOf } from '../../ui/mentions.ts';
import { excerptOf } from './excerpt.ts';
import { sharedArticle, type SharedThing, type SharedThings } from './shared-thing.ts';

export type Activity = ReplyOf<typeof listActivities>['results'][number];
export type CommunityData = ReplyOf<typeof readCommunity>;
export type Member = ReplyOf<typeof listMembers>['members'][number];
/** The signed-in user, as far as these pages need. */
export type PageViewer = { id: string; name: string; thumbnail: string | null; muted?: readonly string[] } | null;
export type ReactionItem = ReplyOf<typeof listActivityReactions>['results'][number];

/** The part of a post that a page shows; nothing else is sent to the browser. */
export type PostData = {
  id: string;
  title: string | null;
  html: string | null;
  /** The text is cut; there is more of it. */
  isCut: boolean;
  /** Names of mentioned users, by id. */
  people: Record<string, string>;
  locale: string;
  categories: string[];
  author: Person;
  createdAt: string;
  isEdited: boolean;
  isPinned: boolean;
  likes: number;
  replies: number;
  /** Ids of the viewer's own like and pin. */
  ownLike?: string;
  ownPin?: string;
  /** The actions that the viewer may take on it. */
  can: Activity['can'];
  poll?: PollData;
  /** The article that it shares, or the lesson discussion for those who may read it. */
  shared?: SharedThing;
  /** The viewer has muted its author. */
  isMuted?: boolean;
};

const EXCERPT_LENGTH = 700;

type Shown = {
  isWhole?: boolean;
  muted?: readonly string[] | undefined;
  shared?: SharedThings;
};

/** A post for a list (its excerpt) or, with `isWhole`, for its own page. `muted`: ids of people whom the viewer muted. */
export function toPost(activity: Activity, { isWhole = false, muted = [], shared }: Shown = {}): PostData {
  const html = activity.bodyHtml;
  const text = html === null || isWhole ? { html, isCut: false } : excerptOf(html, EXCERPT_LENGTH);
  return {
    ...text,
    id: activity.id,
    title: activity.title,
    people: namesOf(activity.mentioned_users),
    locale: activity.locale,
    categories: activity.categories,
    author: toPerson(activity.actor),
    createdAt: activity.createdAt,
    isEdited: activity.editedAt !== undefined,
    isPinned: activity.pinned,
    likes: activity.reaction_counts.like,
    replies: activity.reaction_counts.reply,
    ownLike: activity.own_reactions.like,
    ownPin: activity.own_reactions.pin,
    can: activity.can,
    poll: activity.poll && withoutFewVotes(activity.poll),
    ...(muted.includes(activity.actor.id) && { isMuted: true }),
    shared: shared?.get(activity.id) ?? sharedArticle(activity.additional_data),
  };
}

/** A reply with the loaded replies below it. */
export type ReplyData = {
  id: string;
  level: number;
  /** Placeholder of a reply that was deleted or removed. */
  isDeleted: boolean;
  author: Person | null;
  html: string;
  people: Record<string, string>;
  locale: string;
  createdAt: string;
  isEdited: boolean;
  likes: number;
  ownLike?: string;
  /** The actions that the viewer may take on it. */
  can: Activity['can'];
  children: ReplyData[];
  /** Number of replies to it that are not in `children`. */
  unseen: number;
  /** Some of those precede the first of `children`. */
  hasBefore: boolean;
  /** `children` is a full page and more follow. */
  hasAfter: boolean;
  /** Its source text, for the edit form. */
  source?: Source;
};

export type Source = { body: string; additional: Record<string, unknown> };

/** The loaded replies to a reply. */
export type Branch = Pick<ReplyData, 'children' | 'hasBefore' | 'hasAfter'>;
export const NO_BRANCH: Branch = { children: [], hasBefore: false, hasAfter: false };

/** A deleted reply allows nothing. */
const NOTHING: Activity['can'] = {
  edit: false,
  delete: false,
  moderate: false,
  react: false,
  reply: false,
  report: false,
};

export function toReply(item: ReactionItem, level: number, branch: Branch, withSource: boolean): ReplyData {
  const { children } = branch;
  const unseen = Math.max(item.children_counts.reply - children.filter((child) => !child.isDeleted).length, 0);
  const common = { id: item.id, level, ...branch, unseen };
  if ('deleted' in item)
    return {
      ...common,
      isDeleted: true,
      author: null,
      html: '',
      people: {},
      locale: '',
      createdAt: '',
      isEdited: false,
      likes: 0,
      can: NOTHING,
    };
  return {
    ...common,
    isDeleted: false,
    author: toPerson(item.actor),
    html: item.bodyHtml ?? '',
    people: namesOf(item.mentioned_users),
    locale: item.locale,
    createdAt: item.createdAt,
    isEdited: item.editedAt !== undefined,
    likes: item.children_counts.like,
    can: item.can,
    ownLike: item.own_reactions.like,
    source: withSource ? { body: item.body ?? '', additional: item.additional_data } : undefined,
  };
}

function toPerson({ id, name, thumbnail, jobTitle, organization }: Person): Person {
  return { id, name, thumbnail, jobTitle, organization };
}

/** The display name of a category: `first-months` is "First months". */
export function categoryName(category: string): string {
  const words = category.replaceAll('-', ' ');
  return words.charAt(0).toLocaleUpperCase('en') + words.slice(1);
}
