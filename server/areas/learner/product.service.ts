import type { Locale } from '@officium/contract/common';
import type { UserProduct } from '@officium/contract/people-records';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { openCourseSlugs } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { requireOpenRecords } from './course-access.service.ts';
import { findEnrolments, lockEnrolment } from './enrolment.repository.ts';
import { enrolMyself } from './enrolment.service.ts';
import type { EnrolmentRow, JourneyStatus } from './learner.rows.ts';
import * as repository from './product.repository.ts';

type Product = z.output<typeof UserProduct>;
export type ProductFilter = {
  courseId?: string;
  journeyId?: string;
  courseSlug?: string;
  journeySlug?: string;
  expired?: boolean;
};

/** The user of a path: the viewer, or any user for an administrator. */
async function requireOwner(ctx: Ctx, actor: UserViewer, ref: string): Promise<string> {
  if (ref === 'me' || ref === actor.id) return actor.id;
  if (!isAdministrator(actor)) throw new AppError('auth.forbidden');
  if (!(await getUser(ctx.db, ref))) throw notFound();
  return ref;
}

/** Throws 403 when a non-administrator sets status, end date or payment metadata. */
function requirePlain(body: Product): void {
  const { isEnrolled, expiresOn, stripeMetadata } = body;
  if (isEnrolled === false || (expiresOn ?? null) !== null || (stripeMetadata ?? null) !== null)
    throw new AppError('auth.forbidden');
}

async function requireCohorts(db: Db, body: Product): Promise<void> {
  const ids = body.stripeMetadata?.cohortIds ?? [];
  if (ids.length === 0) return;
  const found = await repository.findCohorts(db, ids);
  const unknown = ids.findIndex((id) => !found.includes(id));
  if (unknown !== -1) throw invalid(`stripeMetadata.cohortIds.${unknown}`, 'Unknown cohort');
}

const endOf = ({ expiresOn }: Product): Date | null | undefined =>
  typeof expiresOn === 'string' ? new Date(expiresOn) : expiresOn;

async function requireEnrolmentRow(db: Db, userId: string, journeyKey: string): Promise<EnrolmentRow> {
  const [row] = await findEnrolments(db, { userId, open: null, journeyKey }); // access was checked before the change
  if (!row) throw new AppError('request.conflict'); // withdrawn concurrently
  return row;
}

/** Enrols a user: administrators in any journey, users in those open to them. */
export async function giveProduct(
  ctx: Ctx,
  actor: UserViewer,
  { user, locale, body }: { user: string; locale: Locale; body: Product },
): Promise<EnrolmentRow> {
  const userId = await requireOwner(ctx, actor, user);
  if (!isAdministrator(actor)) {
    requirePlain(body);
    return await enrolMyself(ctx, actor, { ...body, locale });
  }
  const journeyKey = await repository.getJourneyKey(ctx.db, body);
  if (journeyKey === undefined) throw notFound();
  await requireCohorts(ctx.db, body);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.grantEnrolment(trx, {
      userId,
      journeyKey,
      locale,
      status: body.isEnrolled === false ? 'pending' : 'enrolled',
      expiresOn: endOf(body) ?? null,
      stripeMetadata: body.stripeMetadata ?? null,
    });
    await recordAction(trx, actor, { action: 'learner.give-product', object: userId, detail: { journeyKey } });
    return await requireEnrolmentRow(trx, userId, journeyKey);
  });
}

/** A user's enrolments, newest first. */
export async function listProducts(
  ctx: Ctx,
  actor: UserViewer,
  { user, courseId, journeyId, courseSlug, journeySlug, expired }: ProductFilter & { user: string },
): Promise<EnrolmentRow[]> {
  const userId = await requireOwner(ctx, actor, user);
  const rows = await findEnrolments(ctx.db, { userId, open: openCourseSlugs(actor), courseSlug });
  return rows.filter(
    (row) =>
      (courseId === undefined || row.course_id === courseId) &&
      (journeyId === undefined || row.journey_id === journeyId) &&
      (journeySlug === undefined || row.journey_slug === journeySlug) &&
      (expired === undefined || (row.status === 'expired') === expired),
  );
}

/** The status after an administrator sets `isEnrolled` and the end date. */
function nextStatus(
  current: JourneyStatus,
  { isEnrolled, hasNewEnd }: { isEnrolled: boolean | undefined; hasNewEnd: boolean },
): JourneyStatus {
  if (isEnrolled === false) return current === 'enrolled' ? 'expired' : current;
  if (current === 'expired') {
    if (hasNewEnd) return 'enrolled';
    if (isEnrolled) throw new AppError('request.conflict');
    return current;
  }
  return isEnrolled ? 'enrolled' : current;
}

/** Changes an existing enrolment. */
export async function updateProduct(
  ctx: Ctx,
  actor: UserViewer,
  { user, body }: { user: string; body: Product },
): Promise<EnrolmentRow> {
  const userId = await requireOwner(ctx, actor, user);
  const isPlain = !isAdministrator(actor);
  if (isPlain) requirePlain(body);
  const query = { userId, open: openCourseSlugs(actor), courseSlug: body.courseSlug };
  const found = (await findEnrolments(ctx.db, query)).find((row) => row.journey_slug === body.journeySlug);
  if (!found) throw notFound();
  const { journey_key: journeyKey } = found;
  requireOpenRecords(actor, { slug: found.course_slug });
  await requireCohorts(ctx.db, body);
  return await inTransaction(ctx.db, async (trx) => {
    const enrolment = await lockEnrolment(trx, { userId, journeyKey });
    if (!enrolment) throw notFound();
    if (isPlain) {
      await repository.updateEnrolment(trx, enrolment.id, { status: enrolment.status, locale: body.locale });
      return await requireEnrolmentRow(trx, userId, journeyKey);
    }
    const expiresOn = endOf(body);
    const hasNewEnd = expiresOn !== undefined && (await repository.isInFuture(trx, expiresOn));
    const status = nextStatus(enrolment.status, { isEnrolled: body.isEnrolled, hasNewEnd });
    const { locale, stripeMetadata } = body;
    await repository.updateEnrolment(trx, enrolment.id, { status, locale, expiresOn, stripeMetadata });
    await recordAction(trx, actor, {
      action: 'learner.update-product',
      object: userId,
      detail: { journeyKey, from: enrolment.status, to: status },
    });
    return await requireEnrolmentRow(trx, userId, journeyKey);
  });
}
