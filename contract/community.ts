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

/** Errors of this service, with their status. */
export const communityErrors = {
  'community.last_owner': { status: 409, message: 'The last owner cannot leave. Make someone else an owner first.' },
  'community.too_early': {
    status: 429,
    message: 'Posting in this community is limited. Try again later.',
  },
  'community.poll_fixed': { status: 409, message: 'A poll cannot be edited. Remove it and start another.' },
} as const;

export const FEED_PAGE_SIZE = 30;
/** Page size of a feed after its first page. */
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
/** A walk through a feed by cursor must begin again after this time. */
export const CURSOR_HOURS = 1;
export type Ranking = (typeof RANKINGS)[number];
export type ReactionKind = (typeof REACTION_KINDS)[number];

// Input

const byteLength = (value: string) => new TextEncoder().encode(value).length;

function depthOf(value: unknown): number {
  let depth = 0;
  let level = [value];
  // Iterative, so that hostile nesting cannot exhaust the stack.
  while (level.length > 0 && depth <= MAX_ADDITIONAL_DATA_DEPTH + 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    depth++;
  }
  return depth - 1;
}

/** Markdown with allowed HTML; mentions are `{{<uuid>}}`. */
export const RichBody = z
  .string()
  .trim()
  .refine((value) => byteLength(value) <= MAX_BODY_BYTES, `Body must have at most ${MAX_BODY_BYTES} bytes`)
  .describe('Markdown; sanitised before it is stored. `{{<uuid>}}` mentions a user, at most 10 different ones');

/** Arbitrary data of the client. */
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
  .describe('Arbitrary client data, at most 16 KiB of JSON');

const IgnoredMentions = z.unknown().optional().describe('Ignored: mentions are taken from the body');

const Categories = z
  .array(z.string().trim().min(1).max(128))
  .max(MAX_CATEGORIES)
  .transform((categories) => [...new Set(categories)])
  .default([])
  .describe('Categories of the community; if it has none, none are accepted');

const ActivityTexts = z.object({
  title: text({ max: MAX_TITLE_LENGTH, name: 'Title' }).optional().describe('Plain text; markup is removed'),
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
  locale: LocaleCode.optional().describe('Language of the text; defaults to that of the request'),
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
  locale: LocaleCode.optional().describe('Unchanged when omitted'),
  additional_data: AdditionalData.default({}),
  mentioned_users: IgnoredMentions,
});

/** The query of every list of reactions. */
export const ReactionQuery = z
  .object({
    id_gt: Uuid.optional().describe('Only reactions created after this one, oldest first'),
    id_lt: Uuid.optional().describe('Only reactions created before this one, newest first'),
    kind: z.enum(REACTION_KINDS).default('reply'),
    limit: limitParam(REACTION_PAGE_SIZE),
  })
  .refine((query) => query.id_gt === undefined || query.id_lt === undefined, {
    message: 'Use either id_gt or id_lt, not both',
    path: ['id_gt'],
  });

// Replies

export const Badges = z.object({
  communities: z.record(z.string(), z.array(z.string())).optional(),
  platform: z.record(z.string(), z.array(z.string())).optional(),
});

/**
 * A user as shown next to their posts. For a private profile, and for signed-out visitors, only id and name; an erased
 * user is `Deleted user` with the zero UUID and `isDeleted`.
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
  .describe('Mentioned users who could read the text, by user id');

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
    winners: z
      .array(Uuid)
      .optional()
      .describe('Ids of the winning options, ties included; present once the poll is closed'),
  })
  .describe('`votes`, `totalVotes` and `winners` are present when `results_visibility` allows it');

const OwnReactions = z
  .object({ like: Uuid.optional(), pin: Uuid.optional() })
  .describe("Ids of the caller's own like and pin, for removing them");

export const PostPermissions = z
  .object({
    edit: z.boolean(),
    delete: z.boolean(),
    moderate: z.boolean().describe('Pin posts and decide reports'),
    react: z.boolean().describe('Like, and vote in polls'),
    reply: z.boolean(),
    report: z.boolean(),
  })
  .describe('What the caller may do');

export const Activity = z.object({
  id: Uuid,
  verb: z.enum(['post', 'poll']),
  title: z.string().nullable(),
  body: z.string().nullable().describe('Sanitised Markdown'),
  bodyHtml: z.string().nullable().describe('The body as sanitised HTML with `{{<uuid>}}` mentions unresolved'),
  locale: LocaleCode,
  categories: z.array(z.string()),
  additional_data: z.record(z.string(), z.unknown()),
  mentioned_users: MentionedUsers,
  actor: Actor,
  community: z
    .object({ slug: Slug, title: z.string() })
    .nullable()
    .describe("null: a poll outside communities, shown on its author's profile"),
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
  bodyHtml: z.string().nullable().describe('The body as sanitised HTML with `{{<uuid>}}` mentions unresolved'),
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
  .describe('A deleted reply that still has replies');

export const ReactionPage = z.object({
  results: z.array(z.union([Reaction, DeletedReaction])),
  next: z.string().optional().describe('Query string of the next page; absent on the last page'),
});

const Role = z.enum(['owner', 'member']);
const MembershipStatus = z
  .enum(['active', 'pending', 'invited'])
  .describe('pending: asked to join, awaiting approval · invited: may join at once');

const CommunityMembership = z.object({ role: Role, status: MembershipStatus, joinedAt: Timestamp });

const Permissions = z.object({
  level: z.enum(PERMISSION_LEVELS),
  canPost: z.boolean(),
  canReply: z.boolean(),
  canReact: z.boolean(),
  canModerate: z.boolean(),
  canManage: z.boolean().describe('The caller also approves and removes members'),
  canJoin: z.boolean().describe('The caller can join or ask to join with POST …/members'),
});

const CommunityCover = z
  .object({ url: z.string().describe('A path on this site'), alt: z.string() })
  .nullable()
  .describe('The published cover; null without one');

export const CommunityPage = z.object({
  slug: Slug,
  title: z.string(),
  description: z.string(),
  locale: LocaleCode,
  privacy: z.enum(COMMUNITY_PRIVACIES),
  cover: CommunityCover,
  categories: z.array(z.string()),
  owners: z.array(z.object({ id: Uuid, name: z.string(), thumbnail: z.string().nullable() })),
  moderators: z.array(Uuid).describe('Ids of members with full control who are not owners'),
  memberCount: z.int(),
  activityCount: z.int(),
  membership: CommunityMembership.optional(),
  permissions: Permissions,
  waiting: z
    .object({
      requests: z.int().describe('Requests to join'),
      reports: z.int().describe("Reported items, except the caller's own"),
    })
    .optional()
    .describe('Open decisions; present only for users who may take them'),
});

export const CommunitySummary = z.object({
  slug: Slug,
  title: z.string(),
  description: z.string(),
  locale: LocaleCode,
  privacy: z.enum(COMMUNITY_PRIVACIES),
  cover: CommunityCover,
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
  level: z.enum(PERMISSION_LEVELS).nullable().describe('Level granted to this member; null: the default of the role'),
  joinedAt: Timestamp,
});

// Operations

const CommunityParams = z.object({ slug: SlugParam });
const ObjectParams = z.object({ slug: SlugParam, id: Uuid });
const MemberParams = z.object({ slug: SlugParam, userId: Uuid });
const LocaleQuery = z.object({ locale: LocaleCode.optional() });

/** Filters for lists of communities: the caller's own, open ones or closed ones. */
export const COMMUNITY_KINDS = ['mine', 'open', 'closed'] as const;
export type CommunityKind = (typeof COMMUNITY_KINDS)[number];

export const listCommunities = endpoint({
  name: 'listCommunities',
  service: 'community',
  method: 'GET',
  path: '/communities',
  auth: 'none',
  extension: true,
  summary: 'List communities',
  description:
    "Returns visible communities whose can_view scope includes the caller, and all communities the caller belongs to or is invited to. Titles and descriptions are in the caller's language or the nearest fallback; `find` matches a part of either, ignoring case. `show`: `mine` returns communities the caller belongs to, has asked to join or is invited to; `open` those with openly readable posts; `closed` the others.",
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
  summary: 'Read a community page',
  description:
    'Title and description are in the requested locale or the nearest fallback (fr-CA, fr, en). A hidden community, or one whose can_view scope excludes the caller, answers as if it did not exist.',
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
  summary: 'List the ranked feed of a community',
  description:
    '`recent_with_pin`: pinned first, then newest. `community_feed_live`: by a score of age and of the number of people who liked, replied and shared, over the whole history. `community_feed_testing`: the 1 000 highest of those, by a score that decays faster. `nextOffset` is the start of the next page, null at the end. Ranks change between pages, so that pages by offset may repeat or miss posts. Pages by `cursor` do not: an empty cursor begins, and `nextCursor` of each reply, null at the end, is the cursor of the next page. They follow the ranks of the beginning for at most 10 000 posts and an hour, and leave out what was removed since, so that a page may have fewer than `limit` posts or none. A page of more than 4 MiB is cut after the post that exceeds the limit and may have fewer than `limit` posts. For signed-out visitors the first page has an ETag; If-None-Match with it answers 304.',
  params: CommunityParams,
  query: LocaleQuery.extend({
    offset: offsetParam(),
    limit: lenientLimitParam(FEED_PAGE_SIZE),
    ranking: z.enum(RANKINGS).default('community_feed_live'),
    category: z.string().trim().max(128).optional().describe('Only activities of this category; empty: all'),
    cursor: z.string().max(128).optional().describe('`nextCursor` of the previous page; empty: the first page'),
  }),
  replies: {
    200: z.object({
      results: z.array(Activity),
      total: z.int(),
      nextOffset: z.int().nullable().describe('Null with a cursor'),
      nextCursor: z.string().nullable().optional().describe('Only with a cursor'),
    }),
  },
  errors: ['auth.required', 'auth.forbidden'],
});

export const createActivity = endpoint({
  name: 'createActivity',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/activities',
  auth: 'user',
  summary: 'Create a post',
  description:
    'Needs level basic. Titles have at most 300 characters (code points), bodies at most 64 KiB. Mentions are taken from the body: at most 10 different users. An account can create and edit at most 200 posts, polls, replies and articles a minute, and 2 000 an hour.',
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
  summary: 'Read a post',
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
  summary: 'Edit a post',
  description:
    'Only by its author with level basic. Omitted fields are cleared. `additional_data.article` of a shared article stays as it is.',
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
  summary: 'Delete a post',
  description:
    'By its author with level basic, or with full control. A moderator who is not an owner cannot delete posts of owners or administrators. All reactions are deleted too.',
  params: ObjectParams,
  replies: { 204: null },
});

const reactionDescription =
  '`like` needs level reduced, `reply` basic, `pin` full control; `poll-option` and `poll-vote` are 403. Repeating a like or pin returns the first one. Replies can be nested three levels deep; only replies can be reacted to, not likes or pins.';

export const createActivityReaction = endpoint({
  name: 'createActivityReaction',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/activities/{id}/reactions',
  auth: 'user',
  summary: 'React or reply to a post',
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
  summary: 'List reactions to a post',
  description:
    'For members only. Newest first, or oldest first from `id_gt`. A page of more than 4 MiB is cut after the reply that exceeds the limit; `next` continues there.',
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
  summary: 'React or reply to a reaction',
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
  summary: 'List reactions to a reaction',
  description: 'For members only. Newest first, or oldest first from `id_gt`.',
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
  summary: 'Locate a reaction in its thread',
  description: 'For members only. Used for links to one reply of a long thread.',
  params: ObjectParams,
  replies: {
    200: z.object({
      activityId: Uuid,
      path: z.array(Uuid).describe('Ids from the top-level reaction down to the requested one'),
    }),
  },
});

export const updateReaction = endpoint({
  name: 'updateReaction',
  service: 'community',
  method: 'PUT',
  path: '/communities/{slug}/reactions/{id}',
  auth: 'user',
  summary: 'Edit a reply',
  description: 'Only by its author. Likes and pins cannot be edited (400).',
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
  summary: 'Delete a reaction',
  description:
    'By its author, or with full control. A moderator who is not an owner cannot delete reactions of owners or administrators. A reply that has replies is replaced by `{id, deleted: true, children_counts}`.',
  params: ObjectParams,
  replies: { 204: null },
});

export const listMembers = endpoint({
  name: 'listMembers',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/members',
  auth: 'user',
  summary: 'List the members of a community',
  description:
    'For members only. `user.name` finds a part of a name, ignoring case. `status` (extension) other than `active` lists pending or invited users and needs full control.',
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
  summary: 'Join a community',
  description:
    'Joins at once if the community is open and its can_join scope includes the caller, or if the caller is invited. In a closed visible community the status is `pending` until an owner or moderator approves. Joining again changes nothing.',
  params: CommunityParams,
  replies: { 201: z.object({ role: Role, status: MembershipStatus }) },
});

export const leaveCommunity = endpoint({
  name: 'leaveCommunity',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/members/me',
  auth: 'user',
  summary: 'Leave a community',
  description: 'Also withdraws a request to join or declines an invitation. 404 for users without a membership.',
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
  summary: 'Approve a member, or set their level or role',
  description:
    'Needs full control. `status: active` approves a request to join. `level` grants a member a level; null removes the grant. Only owners and administrators can grant full-control or change a moderator; the level of an owner cannot be changed. `role` promotes a member to owner or demotes an owner; only owners and administrators can do this, and the last owner stays one.',
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
  summary: 'Decline a request to join, or remove a member',
  description: 'Needs full control. Moderators cannot remove owners, administrators or each other.',
  params: MemberParams,
  replies: { 204: null },
  errors: ['community.last_owner'],
});
