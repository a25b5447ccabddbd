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

/** Errors of these operations, with their status. */
export const operationsErrors = {
  'operations.no_content_platform': { status: 409, message: 'No content platform is configured.' },
  'operations.mail_not_failed': { status: 409, message: 'Only a failed mail can be sent again.' },
} as const;

// ------------------------------------------------------------------------------------------------------------- jobs

export const JobQueue = z
  .object({
    queue: Queue,
    waiting: Count.describe('Jobs due now or later'),
    running: Count,
    failed: Count.describe('Jobs that failed for good and were not retried'),
    done: Count.describe('Jobs finished in the last 24 hours'),
    oldestDueAt: Timestamp.nullable().describe('Due time of the oldest waiting job'),
  })
  .meta({ id: 'JobQueue' });

export const listJobQueues = endpoint({
  ...shared,
  name: 'listJobQueues',
  method: 'GET',
  path: '/operations/jobs',
  summary: 'List job queues with their counts',
  replies: { 200: z.object({ queues: z.array(JobQueue) }) },
});

export const FailedJob = z
  .object({
    id: Uuid,
    queue: Queue,
    error: z.string().nullable().describe('Code or name of the last error; its message is in the log'),
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
  summary: 'List failed jobs, newest first',
  query: z.object({ queue: Queue.optional(), ...paged }),
  replies: { 200: z.object({ jobs: z.array(FailedJob), total: Count }) },
});

export const retryJobs = endpoint({
  ...shared,
  name: 'retryJobs',
  method: 'POST',
  path: '/operations/jobs/retry',
  summary: 'Retry failed jobs of a queue',
  description:
    'Retries one job by `id`, otherwise all failed jobs of the queue, at most 1 000 at once. 404 when there is nothing to retry.',
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
    recipient: z.string().describe('First letter and domain of the address'),
    status: MailStatus,
    attempts: Count,
    answer: z.string().nullable().describe('Last reply of the mail server, with addresses shortened'),
    createdAt: Timestamp,
    sentAt: Timestamp.nullable(),
  })
  .meta({ id: 'OutgoingMail' });

export const listMails = endpoint({
  ...shared,
  name: 'listMails',
  method: 'GET',
  path: '/operations/mails',
  summary: 'List mails by status, newest first',
  description: 'Never contains the body. Sent mails are kept for 30 days.',
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
  summary: 'Resend a failed mail',
  description: 'A mail whose code has expired becomes `expired` instead.',
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
        'Why it was ignored: topic: unsupported topic · older: the stored version is the same or newer · absent: nothing to withdraw',
      ),
    onlyIndex: z.boolean().describe('Only the index was updated, because no content platform is configured'),
    requestId: z.string(),
    receivedAt: Timestamp,
  })
  .meta({ id: 'ContentEvent' });

export const listContentEvents = endpoint({
  ...shared,
  name: 'listContentEvents',
  method: 'GET',
  path: '/operations/webhooks',
  summary: 'List content platform events, newest first',
  description: 'Covers the last 30 days. Requests with a wrong key or an unreadable body appear only in the log.',
  query: z.object({ outcome: z.enum(['applied', 'ignored']).optional(), entry: EntryId.optional(), ...paged }),
  replies: { 200: z.object({ events: z.array(ContentEvent), total: Count }) },
});

export const startReconciliation = endpoint({
  ...shared,
  name: 'startReconciliation',
  method: 'POST',
  path: '/operations/reconciliations',
  summary: 'Start a full comparison with the content platform',
  description:
    'Runs in the background. Fetches entries that were published or changed on the platform and missed here, and withdraws entries that no longer exist there. Every night the same is done for recent changes.',
  replies: { 204: null },
  errors: ['operations.no_content_platform'],
});

export const readReconciliation = endpoint({
  ...shared,
  name: 'readReconciliation',
  method: 'GET',
  path: '/operations/reconciliations/last',
  summary: 'Read the last comparison with the content platform',
  replies: {
    200: z.object({
      hasPlatform: z.boolean().describe('CONTENT_SPACE and CONTENT_TOKEN are set'),
      last: z
        .object({
          startedAt: Timestamp,
          finishedAt: Timestamp.nullable(),
          published: Count.describe('Missed entries that were fetched'),
          withdrawn: Count.describe('Entries that no longer exist on the platform'),
          error: z.string().nullable().describe('Error that ended it early'),
        })
        .nullable(),
    }),
  },
});

// ----------------------------------------------------------------------------------------------------------- system

const Size = z.object({ name: z.string(), bytes: Count, rows: Count.describe('Estimated by the last analysis') });

export const readSystem = endpoint({
  ...shared,
  name: 'readSystem',
  method: 'GET',
  path: '/operations/system',
  summary: 'Read versions, processes, storage and database size',
  description:
    '`storage` counts recorded files only, not other files in the folder. `processes` are those currently connected to the database.',
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
        builtAt: Timestamp.nullable().describe('Build time of the pages; null in development'),
      }),
      processes: z.array(
        z.object({ role: z.string(), host: z.string().nullable(), pid: z.int().nullable(), connectedAt: Timestamp }),
      ),
      storage: z.array(
        z.object({
          kind: z.enum(['content', 'exports', 'pictures']),
          files: Count,
          bytes: Count.nullable().describe('null when not recorded'),
        }),
      ),
      database: z.object({
        bytes: Count,
        tables: z.array(Size).describe('The ten largest tables, including their indexes'),
      }),
      oldestWaitingJob: z.object({ queue: Queue, dueAt: Timestamp }).nullable(),
    }),
  },
});
