import { z } from 'zod';
import { limitParam, offsetParam, Slug, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { Actor, MentionedUsers } from './community.ts';
import { endpoint } from './endpoint.ts';

/** Why something is reported, and why it is removed. */
export const REPORT_REASONS = ['insult', 'hate', 'privacy', 'spam', 'false', 'illegal', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
export const MAX_REPORT_NOTE_LENGTH = 1000;

/** activity: a post or poll; reaction: a reply. */
export const ContentKind = z.enum(['activity', 'reaction']).describe('activity: a post or poll; reaction: a reply');

const Reason = z
  .enum(REPORT_REASONS, {
    error: ({ input }) =>
      input === undefined ? 'Reason is required' : `Reason must be one of ${REPORT_REASONS.join(', ')}`,
  })
  .describe(
    'insult: it attacks somebody; hate: it attacks a group; privacy: it says what is private; spam: it advertises; false: it misleads; illegal: the law forbids it; other: the note says why',
  );
const Note = text({ max: MAX_REPORT_NOTE_LENGTH, name: 'Note' }).optional().describe('In one’s own words');

const Thing = z.object({
  community: SlugParam,
  kind: ContentKind,
  id: Uuid,
});

const RuleNumber = z
  .int()
  .min(1)
  .max(20)
  .optional()
  .describe('The number of the rule of the community that it breaks; one there is not is 400');

const noteOfOther = (input: { reason?: ReportReason; note?: string }) =>
  input.reason !== 'other' || Boolean(input.note);
const NOTE_NEEDED = { message: 'Note is required', path: ['note'] };

const Report = z.object({
  reason: Reason,
  note: z.string().nullable(),
  rule: z.int().nullable().describe('The number of the rule it is said to break'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const ReportedThing = z
  .object({
    kind: ContentKind,
    id: Uuid,
    activityId: Uuid.describe('The post or poll it is, or that it is a reply to'),
    title: z.string().nullable(),
    bodyHtml: z.string().nullable().describe('As safe HTML, `{{<uuid>}}` mentions still in place'),
    mentionedUsers: MentionedUsers,
    locale: z.string(),
    actor: Actor.describe('Who wrote it'),
    createdAt: Timestamp,
    reports: z.array(Report).describe('The open ones, oldest first; who made them is told to nobody'),
    canRemove: z.boolean().describe('Moderators have no say over owners and administrators'),
    claim: z
      .object({ name: z.string(), isOwn: z.boolean(), until: Timestamp })
      .nullable()
      .describe('Who looks at it at the moment'),
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
  summary: 'report a post or a reply to those who moderate its community',
  description:
    'Needs the level reduced in the community; not by its author (403); 20 in an hour. A person has one report of a thing: a later one replaces it, and opens it again if it had been decided. Nobody is told who made it.',
  body: Thing.extend({ reason: Reason, note: Note, rule: RuleNumber }).refine(noteOfOther, NOTE_NEEDED),
  replies: { 201: Report },
});

export const listReports = endpoint({
  name: 'listReports',
  service: 'moderation',
  method: 'GET',
  path: '/reports',
  auth: 'user',
  extension: true,
  summary: 'what is reported in a community, the longest waiting first',
  description:
    'Needs full control of the community. What was deleted meanwhile is not listed, and nobody sees reports of what they wrote.',
  query: z.object({ community: Slug, limit: limitParam(25), offset: offsetParam() }),
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
  summary: 'keep what was reported, or remove it',
  description:
    'Needs full control of the community; not about what one wrote oneself (403). `dismiss` ends the open reports of a thing, and is 404 when there are none. `remove` takes the thing away too, reported or not; a moderator who is not an owner cannot remove what an owner or an administrator wrote. Its author is told, with the reason, the note and the rule, and may appeal; who reported is told the outcome. 409 while somebody else has taken the case.',
  body: z
    .discriminatedUnion('decision', [
      Thing.extend({ decision: z.literal('dismiss'), note: Note }),
      Thing.extend({ decision: z.literal('remove'), reason: Reason, note: Note, rule: RuleNumber }),
    ])
    .refine((input) => input.decision === 'dismiss' || noteOfOther(input), NOTE_NEEDED),
  replies: { 200: z.object({ decided: z.int().describe('How many reports this ended') }) },
  errors: ['moderation.taken'],
});
