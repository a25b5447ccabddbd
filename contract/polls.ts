import { z } from 'zod';
import { ExactMoment, LocaleCode, SlugParam, text, Uuid } from './common.ts';
import { Activity } from './community.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const pollErrors = {
  'community.poll_closed': { status: 409, message: 'This poll is closed.' },
} as const;

export const MAX_POLL_TITLE_LENGTH = 300;
export const MAX_POLL_OPTION_LENGTH = 100;
export const MAX_VOTE_DETAIL_BYTES = 4096;

const PollOption = z.object({
  position: z.int().min(1).max(5),
  body: text({ min: 1, max: MAX_POLL_OPTION_LENGTH, name: 'Body' }),
});
export type NewPollOption = z.output<typeof PollOption>;

/** Finds duplicate options; each issue names the later one. */
export function findDuplicateOptions(options: readonly NewPollOption[]): { path: [number, string]; message: string }[] {
  const positions = new Set<number>();
  const bodies = new Set<string>();
  return options.flatMap(({ position, body }, index) => {
    const issues: { path: [number, string]; message: string }[] = [];
    const normal = body.normalize('NFC');
    if (positions.has(position))
      issues.push({ path: [index, 'position'], message: `Position ${position} is duplicated.` });
    if (bodies.has(normal)) issues.push({ path: [index, 'body'], message: 'Body is duplicated.' });
    positions.add(position);
    bodies.add(normal);
    return issues;
  });
}

const PollOptions = z
  .array(PollOption)
  .min(2, 'A poll needs at least 2 options')
  .max(5, 'A poll has at most 5 options')
  .superRefine((options, context) => {
    for (const issue of findDuplicateOptions(options)) context.addIssue({ code: 'custom', ...issue });
  });

const NewPollSettings = z.object({
  allow_multiple_votes: z.boolean().default(false),
  deadline_at: ExactMoment.refine(
    (value) => new Date(value).getUTCFullYear() <= 9999,
    'Must be a date before the year 10000',
  )
    .nullable()
    .default(null)
    .describe('The poll closes at this time; null: open until removed. A past time is refused'),
  hide_participants: z.boolean().default(true),
  number_of_winners: z
    .int32()
    .min(1)
    .default(1)
    .describe('Number of winning options. If it exceeds the number of options, every option with a vote wins'),
  results_visibility: z.enum(['always', 'after-voting']).default('after-voting'),
});

export const PollCreate = z.object({
  title: text({ min: 1, max: MAX_POLL_TITLE_LENGTH, name: 'Title' }),
  locale: LocaleCode.default('en'),
  options: PollOptions,
  settings: NewPollSettings.prefault({}),
});

const CreatedPoll = z.object({
  id: Uuid.describe('Id of the poll and of its activity, which are the same'),
  optionIds: z.array(Uuid).describe('Option ids in order of position'),
});
const RemovedPoll = z.object({ id: Uuid });

export const createCommunityPoll = endpoint({
  name: 'createCommunityPoll',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/polls',
  auth: 'user',
  summary: 'Create a poll in a community',
  description:
    'Needs level basic in the community. The poll appears in the feed as an activity with verb `poll`. Markup is removed from title and options, which must still differ afterwards.',
  params: z.object({ slug: SlugParam }),
  body: PollCreate,
  replies: { 201: CreatedPoll },
  errors: ['community.too_early'],
});

export const removeCommunityPoll = endpoint({
  name: 'removeCommunityPoll',
  service: 'community',
  method: 'DELETE',
  path: '/communities/{slug}/polls/{id}',
  auth: 'user',
  summary: 'Remove a poll from a community',
  description: 'By its author, or with full control of the community. A poll of another community is 404.',
  params: z.object({ slug: SlugParam, id: Uuid }),
  replies: { 200: RemovedPoll },
});

export const createPoll = endpoint({
  name: 'createPoll',
  service: 'community',
  method: 'POST',
  path: '/polls',
  auth: 'user',
  summary: 'Create a poll outside communities',
  description:
    "Available to every active user. The poll appears on its author's profile; everyone who sees that profile in full may vote.",
  body: PollCreate,
  replies: { 201: CreatedPoll },
});

export const readPoll = endpoint({
  name: 'readPoll',
  service: 'community',
  method: 'GET',
  path: '/polls/{id}',
  auth: 'user',
  extension: true,
  summary: 'Read a poll',
  description: 'Returns the activity of a poll in a community or on a profile.',
  params: z.object({ id: Uuid }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: Activity },
});

export const removePoll = endpoint({
  name: 'removePoll',
  service: 'community',
  method: 'DELETE',
  path: '/polls/{id}',
  auth: 'user',
  summary: 'Remove a poll',
  description:
    'A poll outside communities: by its author or an administrator. A poll of a community: by anyone who may remove it there.',
  params: z.object({ id: Uuid }),
  replies: { 200: RemovedPoll },
});

export const castVote = endpoint({
  name: 'castVote',
  service: 'community',
  method: 'POST',
  path: '/poll-options/{id}/votes',
  auth: 'user',
  summary: 'Vote for a poll option',
  description:
    'Needs level reduced in the community of the poll. In a single-choice poll, voting for another option moves the vote, which keeps its id. Voting for the same option again returns the same vote. The body is free-form and stored with the vote.',
  params: z.object({ id: Uuid }),
  body: z
    .record(z.string(), z.unknown())
    .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= MAX_VOTE_DETAIL_BYTES, {
      message: `Must be at most ${MAX_VOTE_DETAIL_BYTES} bytes of JSON`,
    }),
  replies: { 201: z.object({ id: Uuid, pollId: Uuid, optionId: Uuid }) },
  errors: ['community.poll_closed'],
});

export const retractVote = endpoint({
  name: 'retractVote',
  service: 'community',
  method: 'DELETE',
  path: '/votes/{id}',
  auth: 'user',
  summary: 'Retract a vote',
  description: "Only your own vote, and only while the poll is open. Another user's vote is 404.",
  params: z.object({ id: Uuid }),
  replies: { 200: z.object({ id: Uuid }) },
  errors: ['community.poll_closed'],
});
