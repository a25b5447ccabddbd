import {
  ACCESS_TYPES,
  type listProductAccess,
  type previewProductAccess,
  type setPermissionOfProducts,
} from '@officium/contract/product-access';
import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { PERMISSIONS } from '@officium/contract/admin';
import { recordAction } from '#server/audit/audit.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import * as products from '#server/areas/catalogue/product.service.ts';
import { asksForInsiders, changeOf, effectiveOf, type AccessScopes } from './product-access.policy.ts';
import { countEnrolled, getAccessFacts, getInsiders } from './product-access.repository.ts';
import { toListedEntry } from './product-access.view.ts';
import { toProduct } from './product.view.ts';

type Preview = ReplyOf<typeof previewProductAccess>;

export async function listAccess(
  ctx: Ctx,
  { type, state, match, sort, limit, offset }: InputOf<typeof listProductAccess>['query'],
  locale: Locale,
): Promise<ReplyOf<typeof listProductAccess>> {
  const isDown = sort.startsWith('-');
  const { rows, total } = await products.findEntryAccess(ctx.db, {
    types: type ? [type] : ACCESS_TYPES,
    isRegistered: state && state === 'registered',
    match,
    locale,
    order: (isDown ? sort.slice(1) : sort) as products.EntryOrder, // the contract only allows these names
    isDown,
    limit,
    offset,
  });
  return { entries: rows.map((row) => toListedEntry(row, locale)), total };
}

/** Previews the effect of these scopes and how many people it affects. */
export async function previewAccess(ctx: Ctx, id: string, wanted: AccessScopes, locale: Locale): Promise<Preview> {
  const [[row], facts] = await Promise.all([products.findProductsById(ctx.db, [id]), getAccessFacts(ctx.db, id)]);
  if (!row || !facts) throw notFound();
  const { title, permissions } = toProduct(row, locale);
  const { floor_view, floor_join, course_view, course_join, cohorts } = facts;
  const course = course_view && course_join ? { can_view: course_view, can_join: course_join } : null;
  const floor = floor_view && floor_join ? { can_view: floor_view, can_join: floor_join } : null;
  const { allUsers, is_by_invitation: isByInvitation } = facts;
  const held = { can_view: facts.held_view, can_join: facts.held_join };
  const { effective, reason } = effectiveOf({
    own: permissions,
    isSet: facts.is_set,
    course,
    isCourseSet: floor !== null,
    isByInvitation,
    isJoinByInvitation: facts.is_join_by_invitation,
  });
  const isOpen = effective.can_view === 'public' || effective.can_view === 'authenticated';
  const noUsers = { others: 0, servants: 0, administrators: 0 };
  const [insiders, places] = await Promise.all([
    asksForInsiders({ isByInvitation, floor }, [held, wanted]) ? getInsiders(ctx.db, id) : noUsers,
    countEnrolled(ctx.db, id),
  ]);
  return {
    id,
    title,
    contentType: row.content_type as Preview['contentType'], // the query only returns product types
    permissions,
    effective,
    reason,
    course,
    admitted: isOpen ? null : { cohorts, people: insiders.others + insiders.servants + insiders.administrators },
    ...changeOf({ allUsers, insiders, isByInvitation, floor }, held, wanted),
    places,
    byInvitation: isByInvitation,
  };
}

export async function setAccess(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
  scopes: AccessScopes | { as: 'course' },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if ('as' in scopes) {
      const { before, after } = await products.followCourse(trx, id);
      if (after.can_view === 'public' && before.can_view !== 'public') requireRecentSignIn(viewer);
      const detail = { follows: true, before };
      await recordAction(trx, viewer, { action: 'admin.set-permissions', object: id, detail, requestId });
      return;
    }
    const before = await products.replaceScopes(trx, id, scopes);
    if (PERMISSIONS.some((name) => scopes[name] === 'public' && before[name] !== 'public')) requireRecentSignIn(viewer);
    await recordAction(trx, viewer, {
      action: 'admin.set-permissions',
      object: id,
      detail: { ...scopes, before },
      requestId,
    });
  });
}

/** Sets one permission of all these products or of none, with an entry in the audit log for each. */
export async function setPermissionOfSeveral(
  ctx: Ctx,
  viewer: UserViewer,
  { ids, permission, scope }: InputOf<typeof setPermissionOfProducts>['body'],
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // Changes in the order of ids do not deadlock.
    for (const id of [...new Set(ids)].sort()) {
      const before = await products.changeScope(trx, id, { permission, scope }, `ids.${ids.indexOf(id)}`);
      if (scope === 'public' && before[permission] !== 'public') requireRecentSignIn(viewer);
      const detail = { ...before, [permission]: scope, before };
      await recordAction(trx, viewer, { action: 'admin.set-permissions', object: id, detail, requestId });
    }
  });
}
