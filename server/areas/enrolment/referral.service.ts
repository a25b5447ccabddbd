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
import { countMails } from './enrolment.repository.ts';
import type { ReferralRow, ReferralType } from './enrolment.rows.ts';
import * as repository from './referral.repository.ts';

export type ReferralInput = { email: string; type: ReferralType; slug: string };
type Referrer = { id: string | null; email: string | null; locale: Locale };

const MAX_A_DAY = 20;
/** However many people refer somebody, these are the mails they get in a day. */
const MAX_MAILS_A_DAY = 3;
const DAY_SECONDS = 86_400;

const PAGES = { courses: '/courses/', communities: '/communities/', microcourses: '/microcourses/en/' };

function linkOf(ctx: Ctx, { type, slug }: ReferralInput): string {
  return linkTo(ctx, type === 'events' ? '/' : `${PAGES[type]}${encodeURIComponent(slug)}`);
}

/** Which of the referrals are for nothing the viewer sees; services see all. */
async function findUnseen(ctx: Ctx, viewer: ServiceViewer | UserViewer, asked: ReferralInput[]): Promise<number[]> {
  const slugs = [...new Set(asked.map(({ slug }) => slug))];
  const seen = await (viewer.kind === 'service'
    ? repository.findPages(ctx.db, slugs)
    : seenPages(ctx.db, viewer, slugs));
  return asked.flatMap(({ type, slug }, position) =>
    type === 'events' || seen.has(`${type}/${slug}`) ? [] : [position],
  );
}

/** 403 for what is seen, and left out by the token of the session. */
function requireOpen(viewer: UserViewer, asked: ReferralInput[]): void {
  const isLeftOut = ({ type, slug }: ReferralInput) =>
    type === 'communities' ? isShutOut(viewer, slug) : type === 'courses' && isShutOutOfCourse(viewer, slug);
  if (asked.some(isLeftOut)) throw new AppError('auth.forbidden');
}

/** One referral, mailed when it is new. `db` is a transaction that holds the referrer. */
async function refer(ctx: Ctx, db: Db, referrer: Referrer, asked: ReferralInput): Promise<ReferralRow> {
  const key = { referrerId: referrer.id, email: asked.email, type: asked.type, slug: asked.slug };
  const former = await repository.restoreReferral(db, key);
  if (former) return former;
  if (referrer.id !== null && ctx.config.rateLimits) {
    const { made, waitSeconds } = await repository.countOfDay(db, referrer.id);
    if (made >= MAX_A_DAY) throw new AppError('request.too_many', { retryAfterSeconds: waitSeconds });
  }
  const row = await repository.insertReferral(db, key);
  if (!row) throw new AppError('request.conflict'); // the lock of the referrer keeps this from happening
  const [to, kind] = [asked.email, 'referral'];
  if ((await countMails(db, { email: to, kind, seconds: DAY_SECONDS })) < MAX_MAILS_A_DAY)
    await queueMail(ctx, db, { kind, to, locale: referrer.locale, link: linkOf(ctx, asked) });
  return row;
}

/** Refers a colleague to something the person sees. */
export async function referColleague(ctx: Ctx, actor: UserViewer, asked: ReferralInput): Promise<ReferralRow> {
  if (asked.email === actor.email) throw invalid('email', 'Refer somebody else');
  if ((await findUnseen(ctx, actor, [asked])).length > 0) throw notFound();
  requireOpen(actor, [asked]);
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, actor.id);
    return await refer(ctx, trx, actor, asked);
  });
}

function refuseUnknown(positions: number[]): void {
  const issues: Issue[] = positions.map((position) => ({
    path: `referrals.${position}.slug`,
    message: 'There is nothing of this type and slug',
  }));
  if (issues.length > 0) throw new AppError('request.invalid', { issues });
}

/** Refers many people in the name of a service, or of an administrator without counting against their day. */
export async function referMany(
  ctx: Ctx,
  actor: ServiceViewer | UserViewer,
  { referrals, locale }: { referrals: ReferralInput[]; locale: Locale },
): Promise<ReferralRow[]> {
  refuseUnknown(await findUnseen(ctx, actor, referrals));
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, 'services');
    const rows: ReferralRow[] = [];
    for (const asked of referrals) rows.push(await refer(ctx, trx, { id: null, email: null, locale }, asked));
    const ids = rows.map(({ id }) => id);
    await recordAction(trx, actor, { action: 'enrolment.refer-many', object: ids[0] ?? '', detail: { ids } });
    return rows;
  });
}

/** The person of a path: oneself, or anybody for an administrator. */
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

/** Makes the list of a person's referrals, as the actor sees it, what is asked for. */
export async function replaceReferrals(
  ctx: Ctx,
  actor: UserViewer,
  { userId, referrals }: { userId: string; referrals: ReferralInput[] },
): Promise<ReferralRow[]> {
  const referrer = await requireReferrer(ctx, actor, userId);
  const own = referrals.findIndex(({ email }) => email === referrer.email);
  if (own !== -1) throw invalid(`referrals.${own}.email`, 'Refer somebody else');
  refuseUnknown(await findUnseen(ctx, actor, referrals));
  requireOpen(actor, referrals);
  const listed = { referrerId: referrer.id, open: openSlugs(actor) };
  return await inTransaction(ctx.db, async (trx) => {
    await repository.lockReferrer(trx, referrer.id);
    const kept: string[] = [];
    for (const asked of referrals) kept.push((await refer(ctx, trx, referrer, asked)).id);
    await repository.removeOthers(trx, listed, kept);
    if (referrer.id !== actor.id)
      await recordAction(trx, actor, { action: 'enrolment.replace-referrals', object: referrer.id });
    return await repository.findReferrals(trx, listed);
  });
}
