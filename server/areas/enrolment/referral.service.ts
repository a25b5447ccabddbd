import type { Locale } from '@officium/contract/common';
import { recordAction } from '#server/audit/audit.ts';
import { isShutOut, isShutOutOfCourse, openSlugs } from '#server/access/can.ts';
import { isAdministrator, type ServiceViewer, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound, type Issue } from '#server/errors.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { getUser } from '#server/areas/auth/user.service.ts';
import { seenPages } from '#server/areas/catalogue/entry.service.ts';
import { queueMail } from '#server/mail/outbox.ts';
import type { ReferralRow, ReferralType } from './enrolment.rows.ts';
import { countMails } from './mail-count.repository.ts';
import * as repository from './referral.repository.ts';

export type ReferralInput = { email: string; type: ReferralType; slug: string };
type Referrer = { id: string | null; email: string | null; locale: Locale };

const MAX_A_DAY = 20;
/** Referral mails one address receives in a day, whoever refers it. */
const MAX_MAILS_A_DAY = 3;
const DAY_SECONDS = 86_400;

const PAGES = {
  courses: '/courses/',
  communities: '/communities/',
  events: '/events/',
  microcourses: '/microcourses/en/',
};

function linkOf(ctx: Ctx, { type, slug }: ReferralInput): string {
  return linkTo(ctx, `${PAGES[type]}${encodeURIComponent(slug)}`);
}

/** Positions of the referrals whose target the viewer cannot see. Services see everything published. */
async function findHidden(ctx: Ctx, viewer: ServiceViewer | UserViewer, inputs: ReferralInput[]): Promise<number[]> {
  const slugs = [...new Set(inputs.map(({ slug }) => slug))];
  const visible = await (viewer.kind === 'service'
    ? repository.findPages(ctx.db, slugs)
    : seenPages(ctx.db, viewer, slugs));
  return inputs.flatMap(({ type, slug }, position) =>
    type === 'events' || visible.has(`${type}/${slug}`) ? [] : [position],
  );
}

/** Throws 403 for a visible target that the token of a narrowed session leaves out. */
function requireOpen(viewer: UserViewer, inputs: ReferralInput[]): void {
  const isLeftOut = ({ type, slug }: ReferralInput) =>
    type === 'communities' ? isShutOut(viewer, slug) : type === 'courses' && isShutOutOfCourse(viewer, slug);
  if (inputs.some(isLeftOut)) throw new AppError('auth.forbidden');
}

/** Stores one referral and mails it when it is new. `db` is a transaction that holds the lock of the referrer. */
async function refer(ctx: Ctx, db: Db, referrer: Referrer, input: ReferralInput): Promise<ReferralRow> {
  const key = { referrerId: referrer.id, email: input.email, type: input.type, slug: input.slug };
  const former = await repository.restoreReferral(db, key);
  if (former) return former;
  if (referrer.id !== null && ctx.config.rateLimits) {
    const { made, waitSeconds } = await repository.countToday(db, referrer.id);
    if (made >= MAX_A_DAY) throw new AppError('request.too_many', { retryAfterSeconds: waitSeconds });
  }
  const row = await repository.insertReferral(db, key);
  if (!row) throw new AppError('request.conflict'); // the lock of the referrer prevents this
  const [to, kind] = [input.email, 'referral'];
  if ((await countMails(db, { email: to, kind, seconds: DAY_SECONDS })) < MAX_MAILS_A_DAY)
    await queueMail(ctx, db, { kind, to, locale: referrer.locale, link: linkOf(ctx, input) });
  return row;
}

/** Refers a colleague to a page the viewer sees. */
export async function referColleague(ctx: Ctx, actor: UserViewer, input: ReferralInput): Promise<ReferralRow> {
  if (input.email === actor.email) throw invalid('email', 'Refer somebody else');
  if ((await findHidden(ctx, actor, [input])).length > 0) throw notFound();
  requireOpen(actor, [input]);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, actor.id);
    return await refer(ctx, trx, actor, input);
  });
}

function refuseUnknown(positions: number[]): void {
  const issues: Issue[] = positions.map((position) => ({
    path: `referrals.${position}.slug`,
    message: 'There is nothing of this type and slug',
  }));
  if (issues.length > 0) throw new AppError('request.invalid', { issues });
}

/** Refers many people for a service or an administrator; these do not count against the daily limit. */
export async function referMany(
  ctx: Ctx,
  actor: ServiceViewer | UserViewer,
  { referrals, locale }: { referrals: ReferralInput[]; locale: Locale },
): Promise<ReferralRow[]> {
  refuseUnknown(await findHidden(ctx, actor, referrals));
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, 'services');
    const rows: ReferralRow[] = [];
    for (const input of referrals) rows.push(await refer(ctx, trx, { id: null, email: null, locale }, input));
    const ids = rows.map(({ id }) => id);
    await recordAction(trx, actor, { action: 'enrolment.refer-many', object: ids[0] ?? '', detail: { ids } });
    return rows;
  });
}

/** The user of a path: the viewer, or any user for an administrator. */
async function requireReferrer(ctx: Ctx, actor: UserViewer, ref: string): Promise<Referrer & { id: string }> {
  if (ref === 'me' || ref === actor.id) return actor;
  if (!isAdministrator(actor)) throw new AppError('auth.forbidden');
  const user = await getUser(ctx.db, ref);
  if (!user) throw notFound();
  return { id: user.id, email: user.email, locale: user.locale as Locale }; // only locales are stored
}

export async function listReferrals(ctx: Ctx, actor: UserViewer, userId: string): Promise<ReferralRow[]> {
  const referrer = await requireReferrer(ctx, actor, userId);
  return await repository.findReferrals(ctx.db, { referrerId: referrer.id, open: openSlugs(actor) });
}

/** Replaces a user's referrals, except those hidden from the actor. */
export async function replaceReferrals(
  ctx: Ctx,
  actor: UserViewer,
  { userId, referrals }: { userId: string; referrals: ReferralInput[] },
): Promise<ReferralRow[]> {
  const referrer = await requireReferrer(ctx, actor, userId);
  const own = referrals.findIndex(({ email }) => email === referrer.email);
  if (own !== -1) throw invalid(`referrals.${own}.email`, 'Refer somebody else');
  refuseUnknown(await findHidden(ctx, actor, referrals));
  requireOpen(actor, referrals);
  const listed = { referrerId: referrer.id, open: openSlugs(actor) };
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, referrer.id);
    const kept: string[] = [];
    for (const input of referrals) kept.push((await refer(ctx, trx, referrer, input)).id);
    await repository.removeOthers(trx, listed, kept);
    if (referrer.id !== actor.id)
      await recordAction(trx, actor, { action: 'enrolment.replace-referrals', object: referrer.id });
    return await repository.findReferrals(trx, listed);
  });
}
