import type { Cohort, createCohort, listCohorts, updateCohort } from '@officium/contract/admin';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { z } from 'zod';
import { recordAction, recordHourly } from '#server/audit/audit.ts';
import { capabilitiesIn, placesWith, requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { cohortTypes } from './cohort.policy.ts';
import {
  COLUMN_OF,
  findCohorts,
  getCohort,
  hasCohort,
  insertCohort,
  lockState,
  updateCohortRow,
  type CohortFields,
  type CohortRow,
} from './cohort.repository.ts';

type CohortView = z.output<typeof Cohort>;
type ListedCohort = ReplyOf<typeof listCohorts>['cohorts'][number];

function toCohort(
  { members, invitations, products, archivedAt, invitationWords: _, ...row }: CohortRow,
  withLiveStats = false,
): ListedCohort {
  return {
    ...row,
    ...(archivedAt ? { archivedAt: archivedAt.toISOString() } : {}),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    total: { members, invitations },
    ...(withLiveStats ? { liveStats: { members, invitations, products } } : {}),
  };
}

function requireType(ctx: Ctx, type: string): void {
  const types = cohortTypes(ctx.config.providerName);
  if (!types.includes(type)) throw invalid('type', `Must be one of ${types.join(', ')}`);
}

/** 404 if the cohort does not exist. */
export async function requireCohort(db: Db, id: string): Promise<void> {
  if (!(await hasCohort(db, id))) throw notFound();
}

/**
 * Locks a cohort that takes new people until the transaction ends: 404 if it does not exist, 409 if it is archived. A
 * caller that places people in the same transaction locks placing first.
 */
export async function requireOpenCohort(db: Db, id: string): Promise<void> {
  const cohort = await lockState(db, id);
  if (!cohort) throw notFound();
  if (cohort.isArchived) throw new AppError('admin.cohort_archived');
}

/** Records that the viewer looked at addresses of a cohort. */
export async function noteAddressesRead(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-addresses', object: id });
}

export async function readCohortById(db: Db, id: string): Promise<CohortView> {
  const row = await getCohort(db, id);
  if (!row) throw notFound();
  return toCohort(row);
}

/** A cohort with what the viewer's roles allow in it. */
export async function readCohortFor(ctx: Ctx, viewer: UserViewer, id: string): Promise<CohortView> {
  requireMay(viewer, 'read-cohort', { kind: 'cohort', id });
  return withCapabilities(await readCohortById(ctx.db, id), viewer);
}

function withCapabilities<C extends CohortView>(cohort: C, viewer: UserViewer): C {
  const capabilities = capabilitiesIn(viewer, { kind: 'cohort', id: cohort.id });
  return capabilities ? { ...cohort, capabilities } : cohort;
}

export async function addCohort(
  ctx: Ctx,
  viewer: UserViewer,
  given: InputOf<typeof createCohort>['body'],
  requestId: string,
): Promise<CohortView> {
  requireType(ctx, given.type);
  return await inTransaction(ctx.db, async (trx) => {
    const id = await insertCohort(trx, {
      name: given.name,
      type: given.type,
      primaryPartner: given.primaryPartner,
      secondaryPartner: given.secondaryPartner ?? null,
      notes: given.notes ?? null,
      bookingCode: given.bookingCode ?? null,
      countryCode: given.countryCode ?? null,
      funder: given.funder ?? null,
      supportContact: given.supportContact ?? null,
    });
    await recordAction(trx, viewer, { action: 'admin.create-cohort', object: id, requestId });
    return await readCohortById(trx, id);
  });
}

/** Changes only the named fields. */
export async function changeCohort(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
  given: InputOf<typeof updateCohort>['body'],
  requestId: string,
): Promise<CohortView> {
  if (given.type !== undefined) requireType(ctx, given.type);
  const changes: Partial<CohortFields> = Object.fromEntries(
    Object.entries(given).filter(([field, value]) => field in COLUMN_OF && value !== undefined),
  );
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await updateCohortRow(trx, id, changes))) throw notFound();
    await recordAction(trx, viewer, {
      action: 'admin.update-cohort',
      object: id,
      detail: { fields: Object.keys(changes) },
      requestId,
    });
    return await readCohortById(trx, id);
  });
}

export async function listCohortsFor(
  ctx: Ctx,
  viewer: UserViewer,
  { withLiveStats, match, ...page }: InputOf<typeof listCohorts>['query'],
  isArchived = false,
): Promise<ReplyOf<typeof listCohorts>> {
  const ids = placesWith(viewer, 'read-cohort')?.cohorts ?? null;
  const { rows, total } = await findCohorts(ctx.db, { ...page, isArchived, match: match ?? '', ids });
  return { cohorts: rows.map((row) => withCapabilities(toCohort(row, withLiveStats), viewer)), total };
}
