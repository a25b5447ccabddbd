import type { listAuditLog } from '@officium/contract/audit';
import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordHourly } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import { findSubjects, type SubjectRow } from './audit-subject.repository.ts';
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

function toObject(subject: SubjectRow | undefined, locale: Locale) {
  if (!subject) return { objectKind: null, objectName: null };
  const { kind, name, title } = subject;
  return { objectKind: kind, objectName: (title ? pickText(title, locale).text : name) || null };
}

/** A page of the audit log, newest first. Reading it is itself recorded. */
export async function readLog(
  ctx: Ctx,
  viewer: UserViewer,
  { continuationToken, from, to, ...query }: InputOf<typeof listAuditLog>['query'],
  locale: Locale,
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
  const subjects = await findSubjects(ctx.db, [...new Set(page.map(({ object }) => object))]);
  const subjectOf = new Map(subjects.map((subject) => [subject.id, subject]));
  return {
    entries: page.map(({ createdAt, isActorDeleted, ...row }) => ({
      ...row,
      ...toObject(subjectOf.get(row.object), locale),
      isActorDeleted: isActorDeleted || undefined,
      createdAt: createdAt.toISOString(),
    })),
    ...(last && rows.length > query.limit ? { continuationToken: tokenOf(last.id) } : {}),
  };
}
