import { z } from 'zod';
import { LocaleCode, Slug, SlugParam, Uuid } from './common.ts';
import { FEED_PAGE_SIZE } from './community.ts';
import { endpoint } from './endpoint.ts';
import { DISCUSSION_PAGE_SIZE, enrolmentErrors, LESSON, LessonParams } from './lesson-discussions.ts';
import { CommunityShare, ShareOutcome } from './shares.ts';

/** Up to `max` ids, separated by commas. */
const idList = (max: number) =>
  z
    .string()
    .max(max * 37)
    .transform((list) => [...new Set(list.split(',').filter(Boolean))])
    .pipe(z.array(Uuid).max(max))
    .default([])
    .describe(`At most ${max} ids, separated by commas`);

export const SHARED_TEXT_LENGTH = 140;

export const SharedDiscussion = z.object({
  activityId: Uuid.describe('The post that shares it'),
  id: Uuid.describe('The discussion'),
  text: z.string().describe(`The beginning of its text without markup, at most ${SHARED_TEXT_LENGTH} characters`),
  course: z.object({ slug: Slug, title: z.string() }),
  journeySlug: z.string(),
  lesson: z.object({ slug: z.string(), title: z.string() }),
  reaction_counts: z.object({ like: z.int(), reply: z.int() }),
});
export type SharedDiscussion = z.output<typeof SharedDiscussion>;

export const DiscussionShare = z.object({
  discussionId: Uuid,
  activityId: Uuid.describe('The post'),
  community: z.object({ slug: Slug, title: z.string() }),
});
export type DiscussionShare = z.output<typeof DiscussionShare>;

export const shareLessonActivity = endpoint({
  name: 'shareLessonActivity',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/activities/{activityId}/shares`,
  auth: 'user',
  extension: true,
  summary: 'Share a lesson discussion to communities',
  description:
    'By the author of the discussion, who needs level basic in the course. Shares as `shareArticle` does: a post in each community where the caller may post, with the message as its title; 207 when some or all failed; the same message within ten minutes creates no further posts. The post itself names nothing of the lesson, because its readers may have no access to the course: those who do read the card with `listSharedDiscussions`.',
  params: LessonParams.extend({ activityId: Uuid }),
  body: CommunityShare,
  replies: ShareOutcome,
  errors: ['community.too_early', ...enrolmentErrors],
});

export const listLessonShares = endpoint({
  name: 'listLessonShares',
  service: 'community',
  method: 'GET',
  path: `${LESSON}/shares`,
  auth: 'user',
  extension: true,
  summary: 'List the posts that share discussions of a lesson',
  description:
    'Newest first, at most 100, in communities whose posts the caller may read; unlisted communities only for their members.',
  params: LessonParams,
  query: z.object({ activities: idList(DISCUSSION_PAGE_SIZE), locale: LocaleCode.optional() }),
  replies: { 200: z.object({ shares: z.array(DiscussionShare) }) },
  errors: enrolmentErrors,
});

export const listSharedDiscussions = endpoint({
  name: 'listSharedDiscussions',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/shared-discussions',
  auth: 'user',
  extension: true,
  summary: 'List the lesson discussions that posts of a community share',
  description:
    'For those of the given posts that share a discussion which the caller may read in its lesson. Other posts are left out, whether they share nothing or something that is closed to the caller.',
  params: z.object({ slug: SlugParam }),
  query: z.object({ activities: idList(FEED_PAGE_SIZE), locale: LocaleCode.optional() }),
  replies: { 200: z.object({ discussions: z.array(SharedDiscussion) }) },
});
