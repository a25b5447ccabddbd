import type { listActivities, listActivityReactions, listMembers, readCommunity } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Person } from '../../ui/person.tsx';
import type { PollData } from '../../ui/poll.tsx';
import { namesOf } from '../../ui/mentions.ts';
import { excerptOf } from './excerpt.ts';

export type Activity = ReplyOf<typeof listActivities>['results'][number];
export type CommunityData = ReplyOf<typeof readCommunity>;
export type Member = ReplyOf<typeof listMembers>['members'][number];
/** Who is signed in. */
export type Reader = { id: string; name: string; thumbnail: string | null } | null;
export type ReactionItem = ReplyOf<typeof listActivityReactions>['results'][number];

/** What a page shows of a post: no more is sent to the browser. */
export type PostData = {
  id: string;
  title: string | null;
  html: string | null;
  /** There is more of the text than is here. */
  isCut: boolean;
  /** Names of those mentioned. */
  people: Record<string, string>;
  locale: string;
  categories: string[];
  author: Person;
  createdAt: string;
  isEdited: boolean;
  isPinned: boolean;
  likes: number;
  replies: number;
  /** Ids of the reader's own like and pin. */
  ownLike?: string;
  ownPin?: string;
  /** What the reader may do with it. */
  can: Activity['can'];
  poll?: PollData;
};

const EXCERPT_LENGTH = 700;

/** A post for a list (its beginning) or, with `isWhole`, for its own page. */
export function toPost(activity: Activity, isWhole = false): PostData {
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
    poll: activity.poll,
  };
}

/** A reply with the replies below it, as far as they have been loaded. */
export type ReplyData = {
  id: string;
  level: number;
  /** Where one was that its author or a moderator took away. */
  isDeleted: boolean;
  author: Person | null;
  html: string;
  people: Record<string, string>;
  locale: string;
  createdAt: string;
  isEdited: boolean;
  likes: number;
  ownLike?: string;
  /** What the reader may do with it. */
  can: Activity['can'];
  children: ReplyData[];
  /** How many replies to it there are that are not in `children`. */
  unseen: number;
  /** Some of those came before the first of `children`. */
  hasBefore: boolean;
  /** A whole page of `children` is here, and more come after it. */
  hasAfter: boolean;
  /** As it was written, for the form that edits it. */
  source?: Source;
};

export type Source = { body: string; additional: Record<string, unknown> };

/** The replies to a reply, as far as they have been loaded. */
export type Branch = Pick<ReplyData, 'children' | 'hasBefore' | 'hasAfter'>;
export const NO_BRANCH: Branch = { children: [], hasBefore: false, hasAfter: false };

/** What may be done with a deleted reply. */
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

/** A category's name as people read it: `first-months` is "First months". */
export function categoryName(category: string): string {
  const words = category.replaceAll('-', ' ');
  return words.charAt(0).toLocaleUpperCase('en') + words.slice(1);
}
