import { z } from 'zod';
import {
  EntryId,
  limitParam,
  LocaleCode,
  localizedString,
  LocalizedAnswer,
  offsetParam,
  Timestamp,
  Uuid,
} from './common.ts';
import { Actor, MentionedUsers, Reaction, ReactionCreate, ReactionPage, ReactionQuery, RichBody } from './community.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const lessonDiscussionErrors = {} as const;

export const DISCUSSION_PAGE_SIZE = 30;
export const MAX_DISCUSSION_LENGTH = 10_000;

/** The path of a lesson. */
export const LESSON = '/courses/{courseId}/journeys/{journeyId}/lessons/{lessonId}';

/** An id of the content platform, or a slug, which may be longer. */
const ContentId = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9._-]+$/, 'Must be 1 to 128 letters, digits, dots, underscores or hyphens');

export const LessonParams = z.object({
  courseId: EntryId.describe('Course id on the content platform'),
  journeyId: ContentId.describe('Journey id within its course; its slug when it has no id'),
  lessonId: ContentId.describe('Lesson id within its journey; its slug when it has no id'),
});
const ActivityParams = LessonParams.extend({ activityId: Uuid });
const ReactionParams = LessonParams.extend({ reactionId: Uuid });

/** The error for a text that is empty after sanitising. */
export const NOTHING_LEFT = 'String length is less than minimum allowed length of 1';

export const DiscussionBody = localizedString({ min: 1, max: MAX_DISCUSSION_LENGTH })
  .superRefine((map, context) => {
    if (Object.keys(map).length > 0 && !Object.hasOwn(map, 'en'))
      context.addIssue({ code: 'custom', path: ['en'], message: 'The text in English (en) is required' });
  })
  .transform((map) => Object.fromEntries(Object.entries(map).map(([locale, value]) => [locale, value.trim()])))
  .describe('Markdown by locale; English is required. `{{<uuid>}}` mentions a user, at most 10 different ones');

const DiscussionWrite = z.object({ body: DiscussionBody });

export const LessonDiscussion = z.object({
  id: Uuid,
  body: LocalizedAnswer.describe('Sanitised Markdown by locale'),
  locale: LocaleCode.describe("Language of `bodyHtml`: the caller's, or the nearest fallback"),
  bodyHtml: z.string().describe('The body as sanitised HTML with `{{<uuid>}}` mentions unresolved'),
  actor: Actor,
  mentioned_users: MentionedUsers,
  reaction_counts: z.object({ like: z.int(), reply: z.int() }),
  own_reactions: z.object({ like: Uuid.optional(), pin: Uuid.optional() }),
  pinned: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: Timestamp.optional(),
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    reply: z.boolean(),
    pin: z.boolean(),
    report: z.boolean(),
  }),
});

const discussionAccess =
  'For users with an active enrolment: level reduced in the course can read and like, basic can write, full control can moderate: administrators, and enrolled learners who are owners or contacts of the course. A course, journey or lesson that is hidden or unknown, and anything of another lesson, is 404.';

export const enrolmentErrors = ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired'];

export const listLessonActivities = endpoint({
  name: 'listLessonActivities',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities`,
  auth: 'user',
  extension: true,
  summary: 'List the discussions of a lesson',
  description: `Pinned first, then newest. \`nextOffset\` is null at the end. ${discussionAccess}`,
  params: LessonParams,
  query: z.object({ limit: limitParam(DISCUSSION_PAGE_SIZE), offset: offsetParam(), locale: LocaleCode.optional() }),
  replies: {
    200: z.object({ results: z.array(LessonDiscussion), total: z.int(), nextOffset: z.int().nullable() }),
  },
  errors: enrolmentErrors,
});

export const createLessonActivity = endpoint({
  name: 'createLessonActivity',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/activities`,
  auth: 'user',
  summary: 'Open a lesson discussion',
  description: `Needs level basic. Each text has 1 to ${MAX_DISCUSSION_LENGTH} characters (code points) after trimming. ${discussionAccess}`,
  params: LessonParams,
  body: DiscussionWrite,
  replies: { 201: z.object({ activityId: Uuid }) },
  errors: enrolmentErrors,
});

export const readLessonActivity = endpoint({
  name: 'readLessonActivity',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  summary: 'Read a lesson discussion',
  description: discussionAccess,
  params: ActivityParams,
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: LessonDiscussion },
  errors: enrolmentErrors,
});

export const updateLessonActivity = endpoint({
  name: 'updateLessonActivity',
  service: 'community',
  method: 'PUT',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  summary: 'Edit a lesson discussion',
  description: `Only by its author with level basic. Replaces the whole map: omitted languages are removed. ${discussionAccess}`,
  params: ActivityParams,
  body: DiscussionWrite,
  replies: { 200: z.object({ updated: z.literal(true) }) },
  errors: enrolmentErrors,
});

export const deleteLessonActivity = endpoint({
  name: 'deleteLessonActivity',
  service: 'community',
  method: 'DELETE',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  extension: true,
  summary: 'Delete a lesson discussion',
  description: `By its author with level basic, or with full control. All reactions are deleted too. ${discussionAccess}`,
  params: ActivityParams,
  replies: { 200: z.object({ deleted: z.literal(true) }) },
  errors: enrolmentErrors,
});

const reactionRules =
  '`like` needs level reduced, `reply` basic, `pin` full control; `poll-option` and `poll-vote` are 403. Repeating a like or pin returns the first one. Replies can be nested three levels deep; only replies can be reacted to, not likes or pins.';

export const createLessonReaction = endpoint({
  name: 'createLessonReaction',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/activities/{activityId}/reactions`,
  auth: 'user',
  summary: 'React or reply in a lesson discussion',
  description: `${reactionRules} ${discussionAccess}`,
  params: ActivityParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: enrolmentErrors,
});

export const listLessonReactions = endpoint({
  name: 'listLessonReactions',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities/{activityId}/reactions`,
  auth: 'user',
  summary: 'List the replies to a lesson discussion',
  description: `Newest first, or oldest first from \`id_gt\`. ${discussionAccess}`,
  params: ActivityParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
  errors: enrolmentErrors,
});

export const updateLessonReaction = endpoint({
  name: 'updateLessonReaction',
  service: 'community',
  method: 'PUT',
  path: `${LESSON}/reactions/{reactionId}`,
  auth: 'user',
  summary: 'Edit a reply in a lesson discussion',
  description: `Only by its author. Likes and pins cannot be edited (400). ${discussionAccess}`,
  params: ReactionParams,
  body: z.object({
    content: RichBody.refine((value) => value.length > 0, 'Content must not be empty'),
    locale: LocaleCode.optional().describe('Unchanged when omitted'),
  }),
  replies: { 200: Reaction },
  errors: enrolmentErrors,
});

export const deleteLessonReaction = endpoint({
  name: 'deleteLessonReaction',
  service: 'community',
  method: 'DELETE',
  path: `${LESSON}/reactions/{reactionId}`,
  auth: 'user',
  summary: 'Delete a reaction in a lesson discussion',
  description: `By its author, or with full control. A reply that has replies is replaced by \`{id, deleted: true, children_counts}\`. ${discussionAccess}`,
  params: ReactionParams,
  replies: { 200: z.object({ deleted: z.literal(true) }) },
  errors: enrolmentErrors,
});

export const createLessonChildReaction = endpoint({
  name: 'createLessonChildReaction',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/reactions/{reactionId}/reactions`,
  auth: 'user',
  summary: 'React or reply to a reply in a lesson discussion',
  description: `${reactionRules} ${discussionAccess}`,
  params: ReactionParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: enrolmentErrors,
});

export const listLessonChildReactions = endpoint({
  name: 'listLessonChildReactions',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/reactions/{reactionId}/reactions`,
  auth: 'user',
  summary: 'List the replies to a reply in a lesson discussion',
  description: `Newest first, or oldest first from \`id_gt\`. ${discussionAccess}`,
  params: ReactionParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
  errors: enrolmentErrors,
});
