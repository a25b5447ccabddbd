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

/** The person of a path: oneself, or anybody for an administrator. */
async function requireOwner(ctx: Ctx, actor: UserViewer, ref: string): Promise<string> {
  if (ref === 'me' || ref === actor.id) return actor.id;
  if (!isAdministrator(actor)) throw new AppError('auth.forbidden');
  if (!(await getUser(ctx.db, ref))) throw notFound();
  return ref;
}

/** People say nothing of whether and how long they may learn. */
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

async function requirePlace(db: Db, userId: string, journeyKey: string): Promise<EnrolmentRow> {
  const [row] = await findEnrolments(db, { userId, open: null, journeyKey }); // who asks has just changed it
  if (!row) throw new AppError('request.conflict'); // withdrawn by somebody else at the same moment
  return row;
}

/** Gives a person a place: an administrator any, people themselves what is open to them. */
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
    await repository.givePlace(trx, {
      userId,
      journeyKey,
      locale,
      status: body.isEnrolled === false ? 'pending' : 'enrolled',
      expiresOn: endOf(body) ?? null,
      stripeMetadata: body.stripeMetadata ?? null,
    });
    await recordAction(trx, actor, { action: 'learner.give-product', object: userId, detail: { journeyKey } });
    return await requirePlace(trx, userId, journeyKey);
  });
}

/** A person's places, newest first. */
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

/** What becomes of a place when an administrator says whether it is in force and gives it an end. */
function nextStatus(
  now: JourneyStatus,
  { isEnrolled, hasNewEnd }: { isEnrolled: boolean | undefined; hasNewEnd: boolean },
): JourneyStatus {
  if (isEnrolled === false) return now === 'enrolled' ? 'expired' : now;
  if (now === 'expired') {
    if (hasNewEnd) return 'enrolled';
    if (isEnrolled) throw new AppError('request.conflict');
    return now;
  }
  return isEnrolled ? 'enrolled' : now;
}

/** Changes a place a person has. */
export async function updateProduct(
  ctx: Ctx,
  actor: UserViewer,
  { user, body }: { user: string; body: Product },
): Promise<EnrolmentRow> {
  const userId = await requireOwner(ctx, actor, user);
  const isPlain = !isAdministrator(actor);
  if (isPlain) requirePlain(body);
  const places = { userId, open: openCourseSlugs(actor), courseSlug: body.courseSlug };
  const held = (await findEnrolments(ctx.db, places)).find((row) => row.journey_slug === body.journeySlug);
  if (!held) throw notFound();
  requireOpenRecords(actor, { slug: held.course_slug });
  await requireCohorts(ctx.db, body);
  return await inTransaction(ctx.db, async (trx) => {
    const place = await lockEnrolment(trx, { userId, journeyKey: held.journey_key });
    if (!place) throw notFound();
    if (isPlain) {
      await repository.updatePlace(trx, place.id, { status: place.status, locale: body.locale });
      return await requirePlace(trx, userId, held.journey_key);
    }
    const expiresOn = endOf(body);
    const hasNewEnd = expiresOn !== undefined && (await repository.lasts(trx, expiresOn));
    const status = nextStatus(place.status, { isEnrolled: body.isEnrolled, hasNewEnd });
    const { locale, stripeMetadata } = body;
    await repository.updatePlace(trx, place.id, { status, locale, expiresOn, stripeMetadata });
    await recordAction(trx, actor, {
      action: 'learner.update-product',
      object: userId,
      detail: { journeyKey: held.journey_key, from: place.status, to: status },
    });
    return await requirePlace(trx, userId, held.journey_key);
  });
}
