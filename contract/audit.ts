import { z } from 'zod';
import { IsDeletedUser, limitParam, LocaleCode, StoredMoment, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const INVALID_TOKEN = 'The continuation token is not valid';
const exactFilter = z.string().min(1).max(256).optional();

export const AuditEntry = z
  .object({
    id: Uuid,
    actor: z.string().describe('A user id, `service:<name>` or `system`'),
    actorName: z.string().nullable().describe('The current name of a human actor'),
    isActorDeleted: IsDeletedUser,
    action: z.string().describe('`<area>.<verb>-<noun>`'),
    object: z.string().describe('The id of the affected object'),
    objectKind: z
      .string()
      .nullable()
      .describe('`person`, `cohort`, `community`, `rule` or a kind of content; null: none of these, or gone'),
    objectName: z.string().nullable().describe('Its present name or title, in the requested language if available'),
    detail: z.record(z.string(), z.unknown()),
    requestId: z.string().nullable().describe('The same id as in error replies and log lines'),
    createdAt: Timestamp,
  })
  .meta({ id: 'AuditEntry' });

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  service: 'admin',
  method: 'GET',
  path: '/audit-log',
  auth: 'admin',
  capability: 'read-audit',
  summary: 'List audit log entries, newest first',
  description:
    'Contains administrative and moderation actions, with a `continuationToken` while there are more; an invalid token is 400. Filters match exactly; `from` is inclusive, `to` exclusive. Entries are never changed. Reading the log is itself audited, at most hourly.',
  query: z.object({
    actor: exactFilter,
    action: exactFilter,
    object: exactFilter,
    from: StoredMoment.optional(),
    to: StoredMoment.optional(),
    locale: LocaleCode.optional(),
    limit: limitParam(50),
    continuationToken: z.string().max(200, INVALID_TOKEN).optional(),
  }),
  replies: { 200: z.object({ entries: z.array(AuditEntry), continuationToken: z.string().optional() }) },
  extension: true,
});
