import type { NewBulkEnrolment, updateBulkEnrolment } from '@officium/contract/people-records';
import type { z } from 'zod';
import { recordAction, recordSearch } from '#server/audit/audit.ts';
import type { ServiceViewer, UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { canMove } from './enrolment.policy.ts';
import * as repository from './enrolment.repository.ts';
import { endMemberships } from './membership-end.repository.ts';
import type { BulkEnrolmentRow, EnrolmentRequest } from './enrolment.rows.ts';
import { grantOrInvite, splitMetadata, updateAccess } from './enrolment.service.ts';
import { findRecords, type RecordQuery } from './record-list.repository.ts';
import { requireTargets } from './target.service.ts';

type Actor = ServiceViewer | UserViewer;
type NewRecord = z.output<typeof NewBulkEnrolment>;
type Changes = z.output<(typeof updateBulkEnrolment)['body']>;

/** The enrolment a body describes, in either of the two forms the contract accepts. */
function requestOf(body: NewRecord): EnrolmentRequest {
  const [item] = body.enrolments ?? [];
  const metadata = { ...item?.enrolmentMetadata, ...body.metadata };
  return {
    email: body.email,
    type: item?.type ?? body.type ?? 'courses', // the contract requires one of the two
    slug: item?.slug ?? body.slug ?? metadata.courseSlug ?? '',
    ...splitMetadata(metadata),
    userDefaults: body.userDefaults ?? {},
    cohortIds: body.cohortIds ?? [],
  };
}

export async function createRecord(ctx: Ctx, actor: Actor, body: NewRecord): Promise<BulkEnrolmentRow> {
  const request = requestOf(body);
  await requireTargets(ctx.db, [{ request, path: body.enrolments ? 'enrolments.0' : '', cohortPath: 'cohortIds' }]);
  const status = body.status ?? 'created';
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const id = await repository.insertRecord(trx, request, status);
    if (id === undefined) throw new AppError('request.conflict');
    if (status === 'enrolled') await grantOrInvite(ctx, trx, id);
    await recordAction(trx, actor, { action: 'enrolment.create-record', object: id });
    return (await repository.getRecord(trx, id))!; // just inserted
  });
}

export async function readRecord(ctx: Ctx, actor: Actor, id: string): Promise<BulkEnrolmentRow> {
  const row = await repository.getRecord(ctx.db, id);
  if (!row) throw notFound();
  await recordSearch(ctx.lastingDb, actor);
  return row;
}

export async function listRecords(
  ctx: Ctx,
  actor: Actor,
  query: RecordQuery,
): Promise<{ rows: BulkEnrolmentRow[]; total: number }> {
  const found = await findRecords(ctx.db, query);
  await recordSearch(ctx.lastingDb, actor);
  return found;
}

/** Throws 400 when a change names another address or target: those of a record are fixed. */
function requireSame(row: BulkEnrolmentRow, body: Changes): void {
  const [item] = body.enrolments ?? [];
  const named: [string, string | null | undefined, string | null | undefined][] = [
    ['email', body.email, row.email],
    ['type', body.type, row.type],
    ['slug', body.slug, row.slug],
    ['enrolments.0.type', item?.type, row.type],
    ['enrolments.0.slug', item?.slug, row.slug],
    ['metadata.journeySlug', body.metadata?.journeySlug, row.metadata.journeySlug],
  ];
  for (const [path, given, kept] of named)
    if (given !== undefined && given !== null && given !== kept)
      throw invalid(path, 'A record stays about what it is about');
}

/** Changes the status, end date, metadata and cohorts of a record. */
export async function updateRecord(ctx: Ctx, actor: Actor, id: string, body: Changes): Promise<BulkEnrolmentRow> {
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockClaims(trx);
    const row = await repository.lockRecord(trx, id);
    if (!row) throw notFound();
    requireSame(row, body);
    await endMemberships(trx, row.email);
    const given = body.metadata ?? body.enrolments?.[0]?.enrolmentMetadata;
    const { metadata, expiresOn } = given
      ? splitMetadata(given)
      : { metadata: row.metadata, expiresOn: row.expires_on };
    const cohortIds = body.cohortIds ?? row.cohort_ids;
    const request = { ...row, metadata, expiresOn, cohortIds, userDefaults: body.userDefaults ?? row.user_defaults };
    if (body.cohortIds) await requireTargets(trx, [{ request, path: '', cohortPath: 'cohortIds' }]);

    // null removes the end date, which counts as a new one; an absent field does not.
    const namesEnd = given?.expiresOn !== undefined;
    const hasNewEnd = namesEnd && (expiresOn === null || (await repository.isInFuture(trx, expiresOn)));
    const revives = row.status === 'expired' && hasNewEnd && expiresOn !== null;
    const status = body.status ?? (revives ? 'enrolled' : row.status);
    if (!canMove(row.status, status, hasNewEnd)) throw new AppError('enrolment.backwards');
    await repository.updateRecord(trx, id, {
      ...request,
      status,
      metadata: { ...metadata, journeySlug: row.metadata.journeySlug },
    });
    await updateAccess(trx, row);
    if (status === 'enrolled') await grantOrInvite(ctx, trx, id);
    await recordAction(trx, actor, {
      action: 'enrolment.update-record',
      object: id,
      detail: { from: row.status, to: status },
    });
    return (await repository.getRecord(trx, id))!; // locked above
  });
}
