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

/** Reasons this service refuses a request, with their status. */
export const lessonDiscussionErrors = {} as const;

export const DISCUSSION_PAGE_SIZE = 30;
export const MAX_DISCUSSION_LENGTH = 10_000;

const LESSON = '/courses/{courseId}/journeys/{journeyId}/lessons/{lessonId}';

/** An id of the content platform, or the slug of what has none, which may be longer. */
const PlaceId = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9._-]+$/, 'Must be 1 to 128 letters, digits, dots, underscores or hyphens');

const LessonParams = z.object({
  courseId: EntryId.describe('The id of the course in the content platform'),
  journeyId: PlaceId.describe('The id of the journey in its course; its slug when the content gives it no id'),
  lessonId: PlaceId.describe('The id of the lesson in its journey; its slug when the content gives it no id'),
});
const ActivityParams = LessonParams.extend({ activityId: Uuid });
const ReactionParams = LessonParams.extend({ reactionId: Uuid });

/** What is said of a text of which cleaning leaves nothing. */
export const NOTHING_LEFT = 'String length is less than minimum allowed length of 1';

export const DiscussionBody = localizedString({ min: 1, max: MAX_DISCUSSION_LENGTH })
  .superRefine((map, context) => {
    if (Object.keys(map).length > 0 && !Object.hasOwn(map, 'en'))
      context.addIssue({ code: 'custom', path: ['en'], message: 'The text in English (en) is required' });
  })
  .transform((map) => Object.fromEntries(Object.entries(map).map(([locale, value]) => [locale, value.trim()])))
  .describe('Markdown by locale; English is required. `{{<uuid>}}` mentions a person, at most 10 different ones');

const DiscussionWrite = z.object({ body: DiscussionBody });

export const LessonDiscussion = z.object({
  id: Uuid,
  body: LocalizedAnswer.describe('Markdown, sanitised, by locale'),
  locale: LocaleCode.describe('The language of bodyHtml: the reader’s, or the nearest there is'),
  bodyHtml: z.string().describe('The body as safe HTML, `{{<uuid>}}` mentions still in place'),
  actor: Actor,
  mentioned_users: MentionedUsers,
  reaction_counts: z.object({ like: z.int(), reply: z.int() }),
  own_reactions: z.object({ like: Uuid.optional(), pin: Uuid.optional() }),
  pinned: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  editedAt: Timestamp.optional(),
  can: z.object({ edit: z.boolean(), delete: z.boolean(), reply: z.boolean(), pin: z.boolean() }),
});

const whoDiscusses =
  'For people with an enrolment that is in force: the level reduced in the course reads and likes, basic writes, full control moderates. A course, journey or lesson that is hidden or unknown, and anything that belongs to another lesson, is 404.';

const refusals = ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired'];

export const listLessonActivities = endpoint({
  name: 'listLessonActivities',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities`,
  auth: 'user',
  extension: true,
  summary: 'the discussions of a lesson',
  description: `Pinned first, then newest. nextOffset is null at the end. ${whoDiscusses}`,
  params: LessonParams,
  query: z.object({ limit: limitParam(DISCUSSION_PAGE_SIZE), offset: offsetParam(), locale: LocaleCode.optional() }),
  replies: {
    200: z.object({ results: z.array(LessonDiscussion), total: z.int(), nextOffset: z.int().nullable() }),
  },
  errors: refusals,
});

export const createLessonActivity = endpoint({
  name: 'createLessonActivity',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/activities`,
  auth: 'user',
  summary: 'open a lesson discussion',
  description: `Needs the level basic. Each text has 1 to ${MAX_DISCUSSION_LENGTH} characters (code points) after trimming. ${whoDiscusses}`,
  params: LessonParams,
  body: DiscussionWrite,
  replies: { 201: z.object({ activityId: Uuid }) },
  errors: refusals,
});

export const readLessonActivity = endpoint({
  name: 'readLessonActivity',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  summary: 'read a lesson discussion',
  description: whoDiscusses,
  params: ActivityParams,
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: LessonDiscussion },
  errors: refusals,
});

export const updateLessonActivity = endpoint({
  name: 'updateLessonActivity',
  service: 'community',
  method: 'PUT',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  summary: 'edit a lesson discussion',
  description: `By its author only, with the level basic. The map replaces the one before: a language left out goes. ${whoDiscusses}`,
  params: ActivityParams,
  body: DiscussionWrite,
  replies: { 200: z.object({ updated: z.literal(true) }) },
  errors: refusals,
});

export const deleteLessonActivity = endpoint({
  name: 'deleteLessonActivity',
  service: 'community',
  method: 'DELETE',
  path: `${LESSON}/activities/{activityId}`,
  auth: 'user',
  extension: true,
  summary: 'delete a lesson discussion',
  description: `By its author with the level basic, or with full control. All reactions go with it. ${whoDiscusses}`,
  params: ActivityParams,
  replies: { 200: z.object({ deleted: z.literal(true) }) },
  errors: refusals,
});

const howToReact =
  'like needs the level reduced, reply basic, pin full control; poll-option and poll-vote are refused with 403. Liking or pinning again answers the first one. Replies go three levels deep, and of reactions only replies can be reacted to.';

export const createLessonReaction = endpoint({
  name: 'createLessonReaction',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/activities/{activityId}/reactions`,
  auth: 'user',
  summary: 'react or reply in a lesson',
  description: `${howToReact} ${whoDiscusses}`,
  params: ActivityParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: refusals,
});

export const listLessonReactions = endpoint({
  name: 'listLessonReactions',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/activities/{activityId}/reactions`,
  auth: 'user',
  summary: 'page through a lesson’s replies',
  description: `Newest first, or from id_gt on oldest first. ${whoDiscusses}`,
  params: ActivityParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
  errors: refusals,
});

export const updateLessonReaction = endpoint({
  name: 'updateLessonReaction',
  service: 'community',
  method: 'PUT',
  path: `${LESSON}/reactions/{reactionId}`,
  auth: 'user',
  summary: 'edit a lesson reply',
  description: `A reply, by its owner only; there is nothing to edit in a like or a pin (400). ${whoDiscusses}`,
  params: ReactionParams,
  body: z.object({
    content: RichBody.refine((value) => value.length > 0, 'Content must not be empty'),
    locale: LocaleCode.optional().describe('Stays as it is when left out'),
  }),
  replies: { 200: Reaction },
  errors: refusals,
});

export const deleteLessonReaction = endpoint({
  name: 'deleteLessonReaction',
  service: 'community',
  method: 'DELETE',
  path: `${LESSON}/reactions/{reactionId}`,
  auth: 'user',
  summary: 'delete a lesson reply',
  description: `By its owner, or with full control. A reply that has replies leaves \`{id, deleted: true, children_counts}\` in its place. ${whoDiscusses}`,
  params: ReactionParams,
  replies: { 200: z.object({ deleted: z.literal(true) }) },
  errors: refusals,
});

export const createLessonChildReaction = endpoint({
  name: 'createLessonChildReaction',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/reactions/{reactionId}/reactions`,
  auth: 'user',
  summary: 'reply to a lesson reply',
  description: `${howToReact} ${whoDiscusses}`,
  params: ReactionParams,
  body: ReactionCreate,
  replies: { 201: Reaction },
  errors: refusals,
});

export const listLessonChildReactions = endpoint({
  name: 'listLessonChildReactions',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/reactions/{reactionId}/reactions`,
  auth: 'user',
  summary: 'page through replies to a reply',
  description: `Newest first, or from id_gt on oldest first. ${whoDiscusses}`,
  params: ReactionParams,
  query: ReactionQuery,
  replies: { 200: ReactionPage },
  errors: refusals,
});
