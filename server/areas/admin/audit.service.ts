import type { listAuditLog } from '@officium/contract/audit';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordHourly } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { findEntries, hasEntry } from './audit.repository.ts';

/** The log is append-only, so a valid token always refers to an existing row. */
function idOf(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 16 || bytes.toString('base64url') !== token) return undefined;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function tokenOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** A page of the audit log, newest first. Reading it is itself recorded. */
export async function readLog(
  ctx: Ctx,
  viewer: UserViewer,
  { continuationToken, from, to, ...query }: InputOf<typeof listAuditLog>['query'],
): Promise<ReplyOf<typeof listAuditLog>> {
  const after = continuationToken === undefined ? undefined : idOf(continuationToken);
  if (continuationToken !== undefined && (after === undefined || !(await hasEntry(ctx.db, after))))
    throw invalid('continuationToken', 'The continuation token is not valid');
  await recordHourly(ctx.db, viewer, { action: 'admin.read-audit-log', object: 'audit-log' });
  const rows = await findEntries(ctx.db, {
    ...query,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    after,
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    entries: page.map(({ createdAt, isActorDeleted, ...row }) => ({
      ...row,
      isActorDeleted: isActorDeleted || undefined,
      createdAt: createdAt.toISOString(),
    })),
    ...(last && rows.length > query.limit ? { continuationToken: tokenOf(last.id) } : {}),
  };
}
