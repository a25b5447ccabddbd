import type { Product } from '@officium/contract/admin';
import type { Locale } from '@officium/contract/common';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import type { Scope } from '#server/access/can.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import * as products from '#server/areas/catalogue/product.service.ts';
import { assignProductsJob, endDetachedJob } from './assignment.jobs.ts';
import { requireCohort, requireOpenCohort } from './cohort.service.ts';
import { lockCohort } from './cohort.repository.ts';
import {
  deleteCohortProduct,
  findCohortProductIds,
  findDueDates,
  hasCohortProduct,
  putCohortProduct,
  replaceCohortProducts,
} from './product.repository.ts';
import { toProduct } from './product.view.ts';

type ProductPage = { products: z.output<typeof Product>[]; total: number };

export async function searchProducts(
  ctx: Ctx,
  search: { contentType: string; match: string; limit: number; skip: number },
  locale: Locale,
): Promise<ProductPage> {
  const { rows, total } = await products.findProducts(ctx.db, search);
  return { products: rows.map((row) => toProduct(row, locale)), total };
}

export async function registerProductOf(ctx: Ctx, viewer: UserViewer, id: string, requestId: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const isNew = await products.addProduct(trx, id);
    if (isNew) await recordAction(trx, viewer, { action: 'admin.register-product', object: id, requestId });
  });
}

export async function readPermissions(ctx: Ctx, id: string): Promise<products.ScopesRow> {
  return await products.scopesOf(ctx.db, id);
}

export async function setPermission(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
  change: { permission: 'can_view' | 'can_join'; scope: Scope },
  requestId: string,
): Promise<void> {
  if (change.scope === 'public') requireRecentSignIn(viewer);
  await inTransaction(ctx.db, async (trx) => {
    const before = await products.changeScope(trx, id, change);
    await recordAction(trx, viewer, {
      action: 'admin.set-permission',
      object: id,
      detail: { ...change, before: before[change.permission] },
      requestId,
    });
  });
}

export async function listProductsOf(ctx: Ctx, cohortId: string, locale: Locale): Promise<ProductPage> {
  await requireCohort(ctx.db, cohortId);
  const rows = await products.findProductsById(ctx.db, await findCohortProductIds(ctx.db, cohortId));
  return { products: rows.map((row) => toProduct(row, locale)), total: rows.length };
}

export async function setProducts(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  entryIds: string[],
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockCohort(trx, cohortId);
    await requireCohort(trx, cohortId);
    const known = new Set((await products.findProductsById(trx, entryIds)).map((row) => row.id));
    const issues = entryIds.flatMap((id, index) =>
      known.has(id) ? [] : [{ path: `entryIds.${index}`, message: `There is no product with the id ${id}` }],
    );
    if (issues.length > 0) throw new AppError('request.invalid', { issues });
    const wanted = [...new Set(entryIds)];
    const former = await findCohortProductIds(trx, cohortId);
    const added = wanted.filter((id) => !former.includes(id));
    const removed = former.filter((id) => !wanted.includes(id));
    if (added.length > 0) await requireOpenCohort(trx, cohortId);
    await replaceCohortProducts(trx, { cohortId, entryIds: wanted });
    if (removed.length > 0) await ctx.jobs.enqueue(trx, endDetachedJob, { cohortId, entryIds: removed, after: null });
    if (added.length > 0) await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId, entryIds: added, after: null });
    await recordAction(trx, viewer, {
      action: 'admin.set-cohort-products',
      object: cohortId,
      detail: { entryIds: wanted },
      requestId,
    });
  });
}

/** Attaches one product or sets its due date, without touching the other products. */
export async function attachProduct(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, entryId, dueOn }: { cohortId: string; entryId: string; dueOn: string | null | undefined },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockCohort(trx, cohortId);
    await requireCohort(trx, cohortId);
    const isNew = !(await hasCohortProduct(trx, { cohortId, entryId }));
    if (isNew && !isAdministrator(viewer)) throw new AppError('auth.forbidden');
    if ((await products.findProductsById(trx, [entryId])).length === 0) throw notFound();
    if (isNew) await requireOpenCohort(trx, cohortId);
    await putCohortProduct(trx, { cohortId, entryId, dueOn });
    if (isNew) await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId, entryIds: [entryId], after: null });
    const detail = { entryId, ...(dueOn === undefined ? {} : { dueOn }) };
    await recordAction(trx, viewer, { action: 'admin.attach-product', object: cohortId, detail, requestId });
  });
}

export async function detachProduct(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, entryId }: { cohortId: string; entryId: string },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockCohort(trx, cohortId);
    if (!(await deleteCohortProduct(trx, { cohortId, entryId }))) throw notFound();
    await ctx.jobs.enqueue(trx, endDetachedJob, { cohortId, entryIds: [entryId], after: null });
    const detail = { entryId };
    await recordAction(trx, viewer, { action: 'admin.detach-product', object: cohortId, detail, requestId });
  });
}

export async function listDueDatesOf(
  ctx: Ctx,
  cohortId: string,
): Promise<{ dueDates: { entryId: string; dueOn: string }[] }> {
  await requireCohort(ctx.db, cohortId);
  return { dueDates: await findDueDates(ctx.db, cohortId) };
}
