import { z } from 'zod';
import { booleanParam, limitParam, LocaleCode, offsetParam, Slug, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { Actor, MentionedUsers } from './community.ts';
import { endpoint } from './endpoint.ts';

/** Reasons for a report or a removal. */
export const REPORT_REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
export const MAX_REPORT_NOTE_LENGTH = 1000;

export const ContentKind = z
  .enum(['activity', 'reaction', 'article'])
  .describe('activity: a post, poll or lesson discussion · reaction: a reply · article: an article');

/** The lesson under which a text was written. */
export const LessonRef = z
  .object({
    course: z.string(),
    journey: z.string(),
    lesson: z.string(),
    title: z.string().describe('Title of the lesson'),
    courseTitle: z.string(),
  })
  .nullable()
  .describe('The lesson of a lesson discussion or of a reply to one; null for other content');
export type LessonRef = z.output<typeof LessonRef>;

export const ArticleRef = z
  .object({ slug: z.string(), title: z.string() })
  .nullable()
  .describe('The article, while it exists; null for other content');
export type ArticleRef = z.output<typeof ArticleRef>;

/** A moderated place: a community, the lesson discussions of a course, or all articles. */
export const ModeratedPlace = {
  community: Slug.optional(),
  course: Slug.optional().describe('Slug of a course, for its lesson discussions'),
  articles: booleanParam.optional().describe('true: articles'),
};
export const hasOnePlace = ({
  community,
  course,
  articles,
}: {
  community?: string;
  course?: string;
  articles?: boolean;
}) => [community, course, articles || undefined].filter((place) => place !== undefined).length === 1;
export const ONE_PLACE = { message: 'One of community, course and articles is required', path: ['community'] };

const Reason = z
  .enum(REPORT_REASONS, {
    error: ({ input }) =>
      input === undefined ? 'Reason is required' : `Reason must be one of ${REPORT_REASONS.join(', ')}`,
  })
  .describe(
    'insult: attacks a person · hate: attacks a group · privacy: reveals private information · spam: advertises · false: misleads · illegal: against the law · other: explained in the note',
  );
const Note = text({ max: MAX_REPORT_NOTE_LENGTH, name: 'Note' }).optional().describe('A free explanation');

const ReportTarget = z.object({
  community: SlugParam.optional().describe('Omitted for lesson discussions, their replies and articles'),
  kind: ContentKind,
  id: Uuid,
});

const RuleNumber = z
  .int()
  .min(1)
  .max(20)
  .optional()
  .describe('Number of the community rule it breaks; an unknown number is 400');

const hasRequiredNote = (input: { reason?: ReportReason; note?: string }) =>
  input.reason !== 'other' || Boolean(input.note);
const NOTE_REQUIRED = { message: 'Note is required', path: ['note'] };

const Report = z.object({
  reason: Reason,
  note: z.string().nullable(),
  rule: z.int().nullable().describe('Number of the community rule named by the reporter'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const ReportedThing = z
  .object({
    kind: ContentKind,
    id: Uuid,
    activityId: Uuid.describe('The post, poll or article itself, or the post it replies to'),
    lesson: LessonRef,
    article: ArticleRef,
    title: z.string().nullable(),
    bodyHtml: z.string().nullable().describe('Sanitised HTML with `{{<uuid>}}` mentions unresolved'),
    mentionedUsers: MentionedUsers,
    locale: z.string(),
    actor: Actor.describe('The author'),
    createdAt: Timestamp,
    reports: z.array(Report).describe('Open reports, oldest first; reporters are never revealed'),
    canRemove: z
      .boolean()
      .describe('False when the author is an owner or administrator and the caller is only a moderator'),
    claim: z
      .object({ name: z.string(), isOwn: z.boolean(), until: Timestamp })
      .nullable()
      .describe('The moderator who has taken the case'),
  })
  .meta({ id: 'ReportedThing' });
export type ReportedThing = z.output<typeof ReportedThing>;

export const reportContent = endpoint({
  name: 'reportContent',
  service: 'moderation',
  method: 'POST',
  path: '/reports',
  auth: 'user',
  extension: true,
  summary: 'Report a post, reply or article to its moderators',
  description:
    'Needs level reduced in the community, or in the course of a lesson discussion, which is 404 for everyone who may not read it; everyone signed in can report an article, and people who are not members the posts of an open community. Authors cannot report themselves (403). At most 20 an hour. Each user has one report per item: a later one replaces it, and reopens it if it had been decided. The reporter is never revealed.',
  body: ReportTarget.extend({ reason: Reason, note: Note, rule: RuleNumber }).refine(hasRequiredNote, NOTE_REQUIRED),
  replies: { 201: Report },
});

export const listReports = endpoint({
  name: 'listReports',
  service: 'moderation',
  method: 'GET',
  path: '/reports',
  auth: 'user',
  extension: true,
  summary: 'List reported items of a community or course, or reported articles, longest waiting first',
  description:
    "Needs full control of the community. Administrators and the course's contacts moderate its lesson discussions, administrators articles. Deleted items are not listed, nor are reports of the caller's own texts.",
  query: z
    .object({ ...ModeratedPlace, limit: limitParam(25), offset: offsetParam(), locale: LocaleCode.optional() })
    .refine(hasOnePlace, ONE_PLACE),
  replies: { 200: z.object({ things: z.array(ReportedThing), total: z.int() }) },
  errors: ['request.not_found'],
});

export const decideReports = endpoint({
  name: 'decideReports',
  service: 'moderation',
  method: 'POST',
  path: '/decisions',
  auth: 'user',
  extension: true,
  summary: 'Dismiss reports or remove the reported item',
  description:
    'Needs full control of the community; administrators, the owners and the contacts of a course decide about its lesson discussions, administrators about articles. Your own texts are 403. `dismiss` closes the open reports of an item and is 404 when there are none. `remove` also removes the item, reported or not; a moderator who is not an owner cannot remove texts of owners or administrators. The author is notified with reason, note and rule and may appeal; reporters are notified of the outcome. 409 while another moderator has taken the case.',
  body: z
    .discriminatedUnion('decision', [
      ReportTarget.extend({ decision: z.literal('dismiss'), note: Note }),
      ReportTarget.extend({ decision: z.literal('remove'), reason: Reason, note: Note, rule: RuleNumber }),
    ])
    .refine((input) => input.decision === 'dismiss' || hasRequiredNote(input), NOTE_REQUIRED),
  replies: { 200: z.object({ decided: z.int().describe('Number of reports closed') }) },
  errors: ['moderation.taken'],
});
