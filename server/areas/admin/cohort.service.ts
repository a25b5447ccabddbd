import type { Cohort, createCohort, listCohorts, updateCohort } from '@officium/contract/admin';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { z } from 'zod';
import { recordAction, recordHourly } from '#server/audit/audit.ts';
import { capabilitiesIn, placesWith, requireMay } from '#server/access/roles.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { claimInvitations } from './cohort-lifecycle.repository.ts';
import { cohortTypes } from './cohort.policy.ts';
import {
  COLUMN_OF,
  findCohorts,
  getCohort,
  hasCohort,
  insertCohort,
  lockDays,
  lockState,
  updateCohortRow,
  type CohortFields,
  type CohortRow,
} from './cohort.repository.ts';
import { lockPlacingAlone } from './undo.repository.ts';

type CohortView = z.output<typeof Cohort>;
type ListedCohort = ReplyOf<typeof listCohorts>['cohorts'][number];

function toCohort(cohort: CohortRow, withLiveStats = false): ListedCohort {
  const { members, invitations, products, archivedAt, invitationWords: _, beginsOn, endsOn, isOver, ...row } = cohort;
  return {
    ...row,
    ...(beginsOn === null ? {} : { beginsOn }),
    ...(endsOn === null ? {} : { endsOn }),
    ...(isOver ? { isOver } : {}),
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

function requireOrder({ beginsOn, endsOn }: { beginsOn?: string | null; endsOn?: string | null }): void {
  if (beginsOn && endsOn && endsOn < beginsOn) throw invalid('endsOn', 'Must not be before the first day');
}

/** 404 if the cohort does not exist. */
export async function requireCohort(db: Db, id: string): Promise<void> {
  if (!(await hasCohort(db, id))) throw notFound();
}

/** 409 for a cohort that takes no new people. */
export function requireTaking({ isArchived, isOver }: { isArchived: boolean; isOver: boolean }): void {
  if (isArchived) throw new AppError('admin.cohort_archived');
  if (isOver) throw new AppError('admin.cohort_ended');
}

/**
 * Locks a cohort that takes new people until the transaction ends: 404 if it does not exist, 409 if it is archived or over.
 * A caller that places people in the same transaction locks placing first.
 */
export async function requireTakingCohort(db: Db, id: string): Promise<void> {
  const cohort = await lockState(db, id);
  if (!cohort) throw notFound();
  requireTaking(cohort);
}

/** Locks a cohort whose members and products may change: 404 if it does not exist, 409 if it is archived. */
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
  requireOrder(given);
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
      beginsOn: given.beginsOn ?? null,
      endsOn: given.endsOn ?? null,
    });
    await recordAction(trx, viewer, { action: 'admin.create-cohort', object: id, requestId });
    return await readCohortById(trx, id);
  });
}

/** Makes members of those who have proven their address since they were invited, if the cohort takes people. */
export async function admitInvited(db: Db, id: string): Promise<number> {
  const joined = await claimInvitations(db, id);
  await notify(
    db,
    joined.map((userId) => ({ userId, event: 'cohort_membership', objectId: id })),
  );
  return joined.length;
}

/** Changes only the named fields. A later last day admits those whose invitations waited. */
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
    if (changes.endsOn !== undefined) await lockPlacingAlone(trx);
    const former = await lockDays(trx, id);
    if (!former) throw notFound();
    requireOrder({ ...former, ...changes });
    await updateCohortRow(trx, id, changes);
    if (changes.endsOn !== undefined && changes.endsOn !== former.endsOn) await admitInvited(trx, id);
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
