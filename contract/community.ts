import { z } from 'zod';
import {
  IsDeletedUser,
  lenientLimitParam,
  limitParam,
  LocaleCode,
  offsetParam,
  Slug,
  SlugParam,
  text,
  Timestamp,
  Uuid,
} from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const communityErrors = {
  'community.last_owner': { status: 409, message: 'The last owner cannot leave. Make somebody else an owner first.' },
  'community.too_early': {
    status: 429,
    message: 'This community asks everyone to let some time pass. Try again later.',
  },
  'community.poll_fixed': { status: 409, message: 'A poll cannot be edited. Remove it and start another.' },
} as const;

export const FEED_PAGE_SIZE = 30;
/** What a feed asks for after its first page. */
export const FEED_NEXT_PAGE_SIZE = 10;
export const REACTION_PAGE_SIZE = 25;
export const MEMBER_PAGE_SIZE = 100;
export const MAX_TITLE_LENGTH = 300;
export const MAX_BODY_BYTES = 64 * 1024;
export const MAX_ADDITIONAL_DATA_BYTES = 16 * 1024;
export const MAX_ADDITIONAL_DATA_DEPTH = 16;
export const MAX_CATEGORIES = 10;

export const PERMISSION_LEVELS = ['none', 'reduced', 'basic', 'full-control'] as const;
export const COMMUNITY_PRIVACIES = ['closed-hidden', 'closed-visible', 'open-hidden', 'open-visible'] as const;
export const RANKINGS = ['recent_with_pin', 'community_feed_live', 'community_feed_testing'] as const;
export const REACTION_KINDS = ['like', 'pin', 'poll-option', 'poll-vote', 'reply'] as const;
export type Ranking = (typeof RANKINGS)[number];
export type ReactionKind = (typeof REACTION_KINDS)[number];

// What people write

const byteLength = (value: string) => new TextEncoder().encode(value).length;

function depthOf(value: unknown): number {
  let depth = 0;
  let level = [value];
  // Level by level: a hostile nesting must not use up the stack.
  while (level.length > 0 && depth <= MAX_ADDITIONAL_DATA_DEPTH + 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    depth++;
  }
  return depth - 1;
}

/** Markdown with the HTML of our allow list; mentions are `{{<uuid>}}`. */
export const RichBody = z
  .string()
  .trim()
  .refine((value) => byteLength(value) <= MAX_BODY_BYTES, `Body must have at most ${MAX_BODY_BYTES} bytes`)
  .describe('Markdown; sanitised before it is stored. `{{<uuid>}}` mentions a person, at most 10 different ones');

/** Free data of the client's own. */
export const AdditionalData = z
  .record(z.string(), z.unknown())
  .refine((value) => depthOf(value) <= MAX_ADDITIONAL_DATA_DEPTH, {
    message: `additional_data must be nested at most ${MAX_ADDITIONAL_DATA_DEPTH} levels deep`,
    abort: true,
  })
  .refine(
    (value) => byteLength(JSON.stringify(value)) <= MAX_ADDITIONAL_DATA_BYTES,
    `additional_data must have at most ${MAX_ADDITIONAL_DATA_BYTES} bytes of JSON`,
  )
  .describe('An object of the client’s own, at most 16 KiB of JSON');

const IgnoredMentions = z.unknown().optional().describe('Ignored: mentions are taken from the body');

const Categories = z
  .array(z.string().trim().min(1).max(128))
  .max(MAX_CATEGORIES)
  .transform((categories) => [...new Set(categories)])
  .default([])
  .describe('Of those the community names; a community that names none takes none');

const ActivityTexts = z.object({
  title: text({ max: MAX_TITLE_LENGTH, name: 'Title' }).optional().describe('Plain text; markup is taken out'),
  body: RichBody.optional(),
  categories: Categories,
  additional_data: AdditionalData.default({}),
  mentioned_users: IgnoredMentions,
});

export const NOTHING_WRITTEN = "Either 'body' or 'title' must be provided.";
const hasText = (input: { title?: string; body?: string }) => Boolean(input.title || input.body);

export const ActivityCreate = ActivityTexts.extend({
  verb: z
    .literal('post', { error: 'verb must be post; a poll is started with POST /communities/{slug}/polls' })
    .default('post'),
  locale: LocaleCode.optional().describe('The language it is written in; the locale of the request when left out'),
}).refine(hasText, { message: NOTHING_WRITTEN, path: ['body'] });

export const ActivityUpdate = ActivityTexts.refine(hasText, { message: NOTHING_WRITTEN, path: ['body'] });

export const NO_REPLY_BODY = "Body is required when kind is 'reply'";

export const ReactionCreate = z
  .object({
    kind: z.enum(REACTION_KINDS),
    body: RichBody.optional(),
    locale: LocaleCode.default('en'),
    additional_data: AdditionalData.default({}),
    mentioned_users: IgnoredMentions,
  })
  .refine((input) => input.kind !== 'reply' || Boolean(input.body), { message: NO_REPLY_BODY, path: ['body'] });

export const ReactionUpdate = z.object({
  body: RichBody.optional(),
  locale: LocaleCode.optional().describe('Stays as it is when left out'),
  additional_data: AdditionalData.default({}),
  mentioned_users: IgnoredMentions,
});

/** The query of every list of reactions. */
export const ReactionQuery = z
  .object({
    id_gt: Uuid.optional().describe('Only those made after this one, oldest first'),
    id_lt: Uuid.optional().describe('Only those made before this one, newest first'),
    kind: z.enum(REACTION_KINDS).default('reply'),
    limit: limitParam(REACTION_PAGE_SIZE),
  })
  .refine((query) => query.id_gt === undefined || query.id_lt === undefined, {
    message: 'Use either id_gt or id_lt, not both',
    path: ['id_gt'],
  });

// What is answered

export const Badges = z.object({
  communities: z.record(z.string(), z.array(z.string())).optional(),
  platform: z.record(z.string(), z.array(z.string())).optional(),
});

/**
 * A person as others see them beside what they said. Of a private profile, and for visitors who are not signed in,
 * only id and name; an erased person is `Deleted user` with the zero UUID and `isDeleted`.
 */
export const Actor = z.object({
  id: Uuid,
  name: z.string(),
  isDeleted: IsDeletedUser,
  thumbnail: z.string().nullable(),
  jobTitle: z.string().nullable(),
  organization: z.string().nullable(),
  badges: Badges,
});

export const MentionedUsers = z
  .record(z.string(), z.object({ id: Uuid, name: z.string() }))
  .describe('By user id, those of the mentioned who could read it');

export const PollView = z
  .object({
    id: Uuid,
    title: z.string().nullable(),
    settings: z.object({
      allow_multiple_votes: z.boolean(),
      deadline_at: Timestamp.nullable(),
      hide_participants: z.boolean(),
      number_of_winners: z.int(),
      results_visibility: z.enum(['always', 'after-voting']),
    }),
    options: z.array(z.object({ id: Uuid, position: z.int(), body: z.string(), votes: z.int().optional() })),
    totalVotes: z.int().optional(),
    ownVotes: z.array(z.object({ id: Uuid, optionId: Uuid })),
    closed: z.boolean(),
    winners: z.array(Uuid).optional().describe('Option ids, ties included; once the poll is closed'),
  })
  .describe('votes, totalVotes and winners follow results_visibility');

const OwnReactions = z
  .object({ like: Uuid.optional(), pin: Uuid.optional() })
  .describe('Ids of the reader’s own like and pin, with which they are taken back');

export const PostPermissions = z
  .object({
    edit: z.boolean(),
    delete: z.boolean(),
    moderate: z.boolean().describe('Pin, and decide on reports'),
    react: z.boolean().describe('Like, and vote in a poll'),
    reply: z.boolean(),
    report: z.boolean(),
  })
  .describe('What the caller may do with it');

export const Activity = z.object({
  id: Uuid,
  verb: z.enum(['post', 'poll']),
  title: z.string().nullable(),
  body: z.string().nullable().describe('Markdown, sanitised'),
  bodyHtml: z.string().nullable().describe('The body as safe HTML, `{{<uuid>}}` mentions still in place'),
  locale: LocaleCode,
  categories: z.array(z.string()),
  additional_data: z.record(z.string(), z.unknown()),
  mentioned_users: MentionedUsers,
  actor: Actor,
  community: z
    .object({ slug: Slug, title: z.string() })
    .nullable()
    .describe('null: a poll outside communities, shown on its author’s profile'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: Timestamp.optional(),
  pinned: z.boolean(),
  reaction_counts: z.object({ like: z.int(), reply: z.int() }),
  own_reactions: OwnReactions,
  can: PostPermissions,
  poll: PollView.optional(),
});

const ChildrenCounts = z.object({ like: z.int(), reply: z.int() });

export const Reaction = z.object({
  id: Uuid,
  kind: z.enum(['like', 'pin', 'reply']),
  activity_id: Uuid,
  parent_id: Uuid.optional(),
  user_id: Uuid,
  actor: Actor,
  body: z.string().nullable(),
  bodyHtml: z.string().nullable().describe('The body as safe HTML, `{{<uuid>}}` mentions still in place'),
  locale: LocaleCode,
  additional_data: z.record(z.string(), z.unknown()),
  mentioned_users: MentionedUsers,
  children_counts: ChildrenCounts,
  own_reactions: OwnReactions,
  can: PostPermissions,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: Timestamp.optional(),
});

export const DeletedReaction = z
  .object({ id: Uuid, deleted: z.literal(true), children_counts: ChildrenCounts })
  .describe('A deleted reply whose own replies are still there');

export const ReactionPage = z.object({
  results: z.array(z.union([Reaction, DeletedReaction])),
  next: z.string().optional().describe('The query string of the next page; absent at the end'),
});

const Role = z.enum(['owner', 'member']);
const MembershipStatus = z
  .enum(['active', 'pending', 'invited'])
  .describe('pending: asked to join, waiting for an owner; invited: may join at once');

const CommunityMembership = z.object({ role: Role, status: MembershipStatus, joinedAt: Timestamp });

const Permissions = z.object({
  level: z.enum(PERMISSION_LEVELS),
  canPost: z.boolean(),
  canReply: z.boolean(),
  canReact: z.boolean(),
  canModerate: z.boolean(),
  canJoin: z.boolean().describe('POST …/members has an effect: joins at once or asks to'),
});

export const CommunityPage = z.object({
  slug: Slug,
  title: z.string(),
  description: z.string(),
  locale: LocaleCode,
  privacy: z.enum(COMMUNITY_PRIVACIES),
  categories: z.array(z.string()),
  owners: z.array(z.object({ id: Uuid, name: z.string(), thumbnail: z.string().nullable() })),
  moderators: z.array(Uuid).describe('Members with full control who are not owners'),
  memberCount: z.int(),
  activityCount: z.int(),
  membership: CommunityMembership.optional(),
  permissions: Permissions,
  waiting: z
    .object({
      requests: z.int().describe('People who ask to join'),
      reports: z.int().describe('Reported things, without what the reader wrote'),
    })
    .optional()
    .describe('What waits for a decision; told only to those who may take it'),
});

export const CommunitySummary = z.object({
  slug: Slug,
  title: z.string(),
  description: z.string(),
  locale: LocaleCode,
  privacy: z.enum(COMMUNITY_PRIVACIES),
  categories: z.array(z.string()),
  memberCount: z.int(),
  activityCount: z.int(),
  membership: CommunityMembership.optional(),
  canJoin: z.boolean(),
});

export const Member = z.object({
  id: Uuid,
  name: z.string(),
  thumbnail: z.string().nullable(),
  jobTitle: z.string().nullable(),
  organization: z.string().nullable(),
  role: Role,
  level: z.enum(PERMISSION_LEVELS).nullable().describe('Granted to this member; null: what their role gives'),
  joinedAt: Timestamp,
});

// Operations

const CommunityParams = z.object({ slug: SlugParam });
const ObjectParams = z.object({ slug: SlugParam, id: Uuid });
const MemberParams = z.object({ slug: SlugParam, userId: Uuid });
const LocaleQuery = z.object({ locale: LocaleCode.optional() });

/** What a list of communities may be narrowed to: the reader's own, or those of one kind. */
export const COMMUNITY_KINDS = ['mine', 'open', 'closed'] as const;
export type CommunityKind = (typeof COMMUNITY_KINDS)[number];

export const listCommunities = endpoint({
  name: 'listCommunities',
  service: 'community',
  method: 'GET',
  path: '/communities',
  auth: 'none',
  extension: true,
  summary: 'the communities there are',
  description:
    'Visible ones within whose can_view scope the reader is, and those the reader belongs to or is invited to, whatever their privacy. Titles and descriptions are in the reader’s language or the nearest there is; `find` looks for a part of either as it is shown, whatever its case. `show` keeps those the reader belongs to, or has asked or been invited to join (mine), or those whose posts are open to read, or closed.',
  query: LocaleQuery.extend({
    limit: limitParam(100),
    offset: offsetParam(),
    find: z.string().trim().max(256).optional(),
    show: z.enum(COMMUNITY_KINDS).optional(),
  }),
  replies: { 200: z.object({ communities: z.array(CommunitySummary), total: z.int() }) },
});

export const readCommunity = endpoint({
  name: 'readCommunity',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}',
  auth: 'none',
  summary: 'a community page',
  description:
    'Title and description are in the locale asked for or the nearest there is (fr-CA, fr, en). A hidden community, and one outside whose can_view scope the reader is, answers as if it did not exist.',
  params: CommunityParams,
  query: LocaleQuery,
  replies: { 200: CommunityPage },
});

export const listActivities = endpoint({
  name: 'listActivities',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/activities',
  auth: 'none',
  summary: 'a community’s ranked feed',
  description:
    'recent_with_pin: pinned first, then newest. community_feed_live: by a score of age and of how many people liked, replied and shared, over the whole history. community_feed_testing: the 1 000 highest of those by a score that decays faster. nextOffset is where the next page begins, null at the end: a page with more than 4 MiB of posts is cut after the one that exceeds them, so that it may have fewer than `limit`. The first page carries an ETag for who is not signed in; with it in If-None-Match the answer is 304.',
  params: CommunityParams,
  query: LocaleQuery.extend({
    offset: offsetParam(),
    limit: lenientLimitParam(FEED_PAGE_SIZE),
    ranking: z.enum(RANKINGS).default('community_feed_live'),
    category: z.string().trim().max(128).optional().describe('Only activities of this category; empty: all'),
  }),
  replies: {
    200: z.object({ results: z.array(Activity), total: z.int(), nextOffset: z.int().nullable() }),
  },
  errors: ['auth.required', 'auth.forbidden'],
});

export const createActivity = endpoint({
  name: 'createActivity',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/activities',
  auth: 'user',
  summary: 'post',
  description:
    'Needs the level basic. Titles have at most 300 characters (code points), bodies at most 64 KiB. Mentions are taken from the body: at most 10 different people. An account writes and edits at most 200 posts, polls, replies and articles a minute, and 2 000 an hour.',
  params: CommunityParams,
  body: ActivityCreate,
  replies: { 201: Activity },
  errors: ['community.too_early'],
});

export const readActivity = endpoint({
  name: 'readActivity',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/activities/{id}',
  auth: 'none',
  summary: 'read a post',
  params: ObjectParams,
  query: LocaleQuery,
  replies: { 200: Activity },
  errors: ['auth.required', 'auth.forbidden'],
});

export const updateActivity = endpoint({
  name: 'updateActivity',
  service: 'community',
  method: 'PUT',
  path: '/communities/{slug}/activities/{id}',
  auth: 'user',
  summary: 'edit a post',
  description: 'By its author only, with the level basic. What is left out is cleared.',
  params: ObjectParams,
  body: ActivityUpdate,
  replies: { 200: Activity },
  errors: ['community.poll_fixed'],
});

export const deleteActivity = endpoint({
  name: 'deleteActivity',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/activities/{id}',
  auth: 'user',
  summary: 'delete a post',
  description:
    'By its author with the level basic, or with full control; a moderator who is not an owner cannot delete what an owner or an administrator wrote. All reactions go with it.',
  params: ObjectParams,
  replies: { 204: null },
});

const reactionDescription =
  'like needs the level reduced, reply basic, pin full control; poll-option and poll-vote are refused with 403. Liking or pinning again answers the first one. Replies go three levels deep, and of reactions only replies can be reacted to.';

export const createActivityReaction = endpoint({
  name: 'createActivityReaction',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/activities/{id}/reactions',
  auth: 'user',
  summary: 'react or reply to a post',
  description: reactionDescription,
  params: ObjectParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: ['community.too_early'],
});

export const listActivityReactions = endpoint({
  name: 'listActivityReactions',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/activities/{id}/reactions',
  auth: 'user',
  summary: 'page through reactions',
  description:
    'Members only. Newest first, or from id_gt on oldest first. A page with more than 4 MiB of replies is cut after the one that exceeds them; `next` goes on there.',
  params: ObjectParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
});

export const createChildReaction = endpoint({
  name: 'createChildReaction',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/reactions/{id}/reactions',
  auth: 'user',
  summary: 'react or reply to a reaction',
  description: reactionDescription,
  params: ObjectParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: ['community.too_early'],
});

export const listChildReactions = endpoint({
  name: 'listChildReactions',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/reactions/{id}/reactions',
  auth: 'user',
  summary: 'page through child reactions',
  description: 'Members only. Newest first, or from id_gt on oldest first.',
  params: ObjectParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
});

export const locateReaction = endpoint({
  name: 'locateReaction',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/reactions/{id}',
  auth: 'user',
  extension: true,
  summary: 'where a reaction stands in its thread',
  description: 'Members only. For links to one reply of a long thread.',
  params: ObjectParams,
  replies: {
    200: z.object({
      activityId: Uuid,
      path: z.array(Uuid).describe('From the reaction to the activity itself down to the one asked for'),
    }),
  },
});

export const updateReaction = endpoint({
  name: 'updateReaction',
  service: 'community',
  method: 'PUT',
  path: '/communities/{slug}/reactions/{id}',
  auth: 'user',
  summary: 'edit a reaction',
  description: 'A reply, by its owner only; there is nothing to edit in a like or a pin (400).',
  params: ObjectParams,
  body: ReactionUpdate,
  replies: { 200: Reaction },
});

export const deleteReaction = endpoint({
  name: 'deleteReaction',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/reactions/{id}',
  auth: 'user',
  summary: 'delete a reaction',
  description:
    'By its owner, or with full control; a moderator who is not an owner cannot delete what is an owner’s or an administrator’s. A reply that has replies leaves `{id, deleted: true, children_counts}` in its place.',
  params: ObjectParams,
  replies: { 204: null },
});

export const listMembers = endpoint({
  name: 'listMembers',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/members',
  auth: 'user',
  summary: 'members',
  description:
    'For members. `user.name` finds a part of a name, whatever its case. `status` (an addition) other than active lists who waits to be let in, or was invited, and needs full control.',
  params: CommunityParams,
  query: z.object({
    offset: offsetParam(),
    count: limitParam(MEMBER_PAGE_SIZE),
    'user.name': z.string().trim().max(256).optional(),
    status: MembershipStatus.default('active'),
  }),
  replies: { 200: z.object({ members: z.array(Member), total: z.int() }) },
});

export const joinCommunity = endpoint({
  name: 'joinCommunity',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/members',
  auth: 'user',
  summary: 'join',
  description:
    'An open community is joined at once by whoever its can_join scope admits, as is one the person was invited to; in a closed, visible one the answer is `pending` until an owner or moderator approves. Joining again changes nothing.',
  params: CommunityParams,
  replies: { 201: z.object({ role: Role, status: MembershipStatus }) },
});

export const leaveCommunity = endpoint({
  name: 'leaveCommunity',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/members/me',
  auth: 'user',
  summary: 'leave',
  description: 'Also withdraws a request to join and declines an invitation. Who does not belong gets 404.',
  params: CommunityParams,
  replies: { 204: null },
  errors: ['community.last_owner'],
});

export const updateMember = endpoint({
  name: 'updateMember',
  service: 'community',
  method: 'PUT',
  path: '/communities/{slug}/members/{userId}',
  auth: 'user',
  extension: true,
  summary: 'let a person in, or set what a member may do or is',
  description:
    'Needs full control. `status: active` approves a request to join. `level` grants a level of one’s own to a member, null takes the grant back; only owners and administrators make moderators (full-control) or change one, and an owner’s level stays as it is. `role` makes a member an owner or an owner a member, by owners and administrators; the last owner stays one.',
  params: MemberParams,
  body: z
    .object({
      status: z.literal('active').optional(),
      level: z.enum(PERMISSION_LEVELS).nullable().optional(),
      role: Role.optional(),
    })
    .refine(
      (input) => input.status !== undefined || input.level !== undefined || input.role !== undefined,
      'Give a status, a level or a role',
    ),
  replies: { 200: Member },
  errors: ['request.conflict', 'community.last_owner'],
});

export const removeMember = endpoint({
  name: 'removeMember',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/members/{userId}',
  auth: 'user',
  extension: true,
  summary: 'decline a request to join, or remove a member',
  description: 'Needs full control. Moderators cannot remove owners, administrators or each other.',
  params: MemberParams,
  replies: { 204: null },
  errors: ['community.last_owner'],
});
