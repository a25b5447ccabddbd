import { z } from 'zod';
import { IsDeletedUser, limitParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const NOT_OURS = 'The continuation token is not valid';
const exact = z.string().min(1).max(256).optional();

export const AuditEntry = z
  .object({
    id: Uuid,
    actor: z.string().describe('A user’s id, `service:<name>` or `system`'),
    actorName: z.string().nullable().describe('The present name of an actor who is a person'),
    isActorDeleted: IsDeletedUser,
    action: z.string().describe('`<area>.<verb>-<noun>`'),
    object: z.string().describe('The id of what it was done to'),
    detail: z.record(z.string(), z.unknown()),
    requestId: z.string().nullable().describe('As error answers and the log lines repeat it'),
    createdAt: Timestamp,
  })
  .meta({ id: 'AuditEntry' });

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  service: 'admin',
  method: 'GET',
  path: '/audit-log',
  auth: 'admin',
  summary: 'who administered and moderated what',
  description:
    'Newest first, with a `continuationToken` while there is more; one that we did not make is 400. Filters are exact; `from` is inclusive, `to` is not. Nothing in the log is ever changed. Reading it is itself noted, once an hour.',
  query: z.object({
    actor: exact,
    action: exact,
    object: exact,
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    limit: limitParam(50),
    continuationToken: z.string().max(200, NOT_OURS).optional(),
  }),
  replies: { 200: z.object({ entries: z.array(AuditEntry), continuationToken: z.string().optional() }) },
  extension: true,
});
