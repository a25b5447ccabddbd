import { z } from 'zod';
import { EntryId, limitParam, offsetParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const Count = z.int().min(0);
const Queue = z
  .string()
  .max(64)
  .regex(/^[a-z]+\.[a-z-]+$/, 'Must be the name of a kind of job');
const shared = { service: 'admin', auth: 'admin', extension: true } as const;
const paged = { limit: limitParam(50), offset: offsetParam() };

/** Reasons these operations refuse a request, with their status. */
export const operationsErrors = {
  'operations.no_content_platform': { status: 409, message: 'No content platform is configured.' },
  'operations.mail_not_failed': { status: 409, message: 'Only a mail that failed can be sent again.' },
} as const;

// ------------------------------------------------------------------------------------------------------------- jobs

export const JobQueue = z
  .object({
    queue: Queue,
    waiting: Count.describe('Due now, or later'),
    running: Count,
    failed: Count.describe('Given up, and not tried again since'),
    done: Count.describe('In the last 24 hours'),
    oldestDueAt: Timestamp.nullable().describe('Since when the one waits that has waited longest'),
  })
  .meta({ id: 'JobQueue' });

export const listJobQueues = endpoint({
  ...shared,
  name: 'listJobQueues',
  method: 'GET',
  path: '/operations/jobs',
  summary: 'how the jobs stand, by queue',
  replies: { 200: z.object({ queues: z.array(JobQueue) }) },
});

export const FailedJob = z
  .object({
    id: Uuid,
    queue: Queue,
    error: z.string().nullable().describe('The code or name of the last error; its words are in the log'),
    tries: Count,
    createdAt: Timestamp,
    failedAt: Timestamp,
  })
  .meta({ id: 'FailedJob' });

export const listFailedJobs = endpoint({
  ...shared,
  name: 'listFailedJobs',
  method: 'GET',
  path: '/operations/jobs/failed',
  summary: 'the jobs that were given up, the latest first',
  query: z.object({ queue: Queue.optional(), ...paged }),
  replies: { 200: z.object({ jobs: z.array(FailedJob), total: Count }) },
});

export const retryJobs = endpoint({
  ...shared,
  name: 'retryJobs',
  method: 'POST',
  path: '/operations/jobs/retry',
  summary: 'try failed jobs of a queue again',
  description: 'One by its `id`, else all of the queue, at most 1 000 at once. 404 when there is nothing to try again.',
  body: z.object({ queue: Queue, id: Uuid.optional() }),
  replies: { 200: z.object({ retried: Count }) },
  errors: ['request.not_found'],
});

// ------------------------------------------------------------------------------------------------------------ mails

export const MAIL_STATUSES = ['failed', 'queued', 'expired', 'sent'] as const;
export const MailStatus = z.enum(MAIL_STATUSES);

export const OutgoingMail = z
  .object({
    id: Uuid,
    kind: z.string(),
    recipient: z.string().describe('Its first letter and its domain'),
    status: MailStatus,
    attempts: Count,
    answer: z.string().nullable().describe('The last words of the mail server, addresses shortened'),
    createdAt: Timestamp,
    sentAt: Timestamp.nullable(),
  })
  .meta({ id: 'OutgoingMail' });

export const listMails = endpoint({
  ...shared,
  name: 'listMails',
  method: 'GET',
  path: '/operations/mails',
  summary: 'the mails of one status, the newest first',
  description: 'Never what stands in them. Those that went out are kept for 30 days.',
  query: z.object({ status: MailStatus.default('failed'), ...paged }),
  replies: {
    200: z.object({
      mails: z.array(OutgoingMail),
      total: Count,
      counts: z.object({ queued: Count, failed: Count, expired: Count, sent: Count }),
    }),
  },
});

export const retryMail = endpoint({
  ...shared,
  name: 'retryMail',
  method: 'POST',
  path: '/operations/mails/{id}/retry',
  summary: 'send a failed mail again',
  description: 'One whose code no longer works becomes `expired` instead.',
  params: z.object({ id: Uuid }),
  replies: { 200: z.object({ id: Uuid, status: z.literal('queued') }) },
  errors: ['request.not_found', 'operations.mail_not_failed'],
});

// --------------------------------------------------------------------------------------------------- content events

export const ContentEvent = z
  .object({
    id: Uuid,
    topic: z.string(),
    entryId: z.string(),
    contentType: z.string().nullable(),
    version: z.int().nullable(),
    outcome: z.enum(['applied', 'ignored']),
    reason: z
      .enum(['topic', 'older', 'absent'])
      .nullable()
      .describe(
        'Why it was ignored: topic: nothing is done on it; older: what is stored says so already or is newer; absent: there was nothing to withdraw',
      ),
    onlyIndex: z
      .boolean()
      .describe('It was published in the index alone: no content platform is configured that would deliver its texts'),
    requestId: z.string(),
    receivedAt: Timestamp,
  })
  .meta({ id: 'ContentEvent' });

export const listContentEvents = endpoint({
  ...shared,
  name: 'listContentEvents',
  method: 'GET',
  path: '/operations/webhooks',
  summary: 'what a content platform told, the latest first',
  description: 'Of the last 30 days. What came with a wrong key or could not be read is in the log only.',
  query: z.object({ outcome: z.enum(['applied', 'ignored']).optional(), entry: EntryId.optional(), ...paged }),
  replies: { 200: z.object({ events: z.array(ContentEvent), total: Count }) },
});

export const startReconciliation = endpoint({
  ...shared,
  name: 'startReconciliation',
  method: 'POST',
  path: '/operations/reconciliations',
  summary: 'compare all entries with the content platform',
  description:
    'In the background. Entries that were published or changed on the platform and missed here are fetched; those that are not there any more are withdrawn. Every night the same is done with what changed on the platform since.',
  replies: { 204: null },
  errors: ['operations.no_content_platform'],
});

export const readReconciliation = endpoint({
  ...shared,
  name: 'readReconciliation',
  method: 'GET',
  path: '/operations/reconciliations/last',
  summary: 'the last comparison with the content platform',
  replies: {
    200: z.object({
      hasPlatform: z.boolean().describe('CONTENT_SPACE and CONTENT_TOKEN are set'),
      last: z
        .object({
          startedAt: Timestamp,
          finishedAt: Timestamp.nullable(),
          published: Count.describe('Entries that had been missed and are fetched'),
          withdrawn: Count.describe('Entries that are not on the platform any more'),
          error: z.string().nullable().describe('Why it ended early'),
        })
        .nullable(),
    }),
  },
});

// ----------------------------------------------------------------------------------------------------------- system

const Size = z.object({ name: z.string(), bytes: Count, rows: Count.describe('About; as last analysed') });

export const readSystem = endpoint({
  ...shared,
  name: 'readSystem',
  method: 'GET',
  path: '/operations/system',
  summary: 'what runs here, and how much of it there is',
  description:
    '`storage` counts the files that are on record, not what else may lie in the folder. `processes` are those connected to the database now.',
  replies: {
    200: z.object({
      versions: z.object({
        product: z.string(),
        node: z.string(),
        postgresql: z.string(),
        jobStore: z.int(),
        migrations: Count,
        lastMigration: z.string(),
        lastMigratedAt: Timestamp,
        builtAt: Timestamp.nullable().describe('The pages; null where they are made as they are asked for'),
      }),
      processes: z.array(
        z.object({ role: z.string(), host: z.string().nullable(), pid: z.int().nullable(), connectedAt: Timestamp }),
      ),
      storage: z.array(
        z.object({
          kind: z.enum(['content', 'exports', 'pictures']),
          files: Count,
          bytes: Count.nullable().describe('null where it is not on record'),
        }),
      ),
      database: z.object({ bytes: Count, tables: z.array(Size).describe('The ten largest, with their indexes') }),
      oldestWaitingJob: z.object({ queue: Queue, dueAt: Timestamp }).nullable(),
    }),
  },
});
