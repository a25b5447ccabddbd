import type {
  previewInvitationMail,
  readCohortSettings,
  updateCohortSettings,
} from '@officium/contract/cohort-settings';
import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { toOffered } from '@officium/i18n/negotiate';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { notFound } from '#server/errors.ts';
import { assignProductsJob } from './assignment.jobs.ts';
import { wordMail } from '#server/mail/render.ts';
import { getCohort, lockCohort } from './cohort.repository.ts';
import { requireOpenCohort } from './cohort.service.ts';
import { NAMED_PRODUCTS, toInvitationValues } from './invitation.view.ts';
import { findAttached, findCohortProductIds } from './product.repository.ts';
import { getSettings, updateSettingsRow } from './cohort-settings.repository.ts';

export async function readSettings(db: Db, cohortId: string): Promise<ReplyOf<typeof readCohortSettings>> {
  const settings = await getSettings(db, cohortId);
  if (!settings) throw notFound();
  const { isArchived: _, ...shown } = settings;
  return shown;
}

/** Changes only the named settings. Switching enrolment on enrols the present members. */
export async function updateSettings(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  changes: InputOf<typeof updateCohortSettings>['body'],
  requestId: string,
): Promise<ReplyOf<typeof updateCohortSettings>> {
  return await inTransaction(ctx.db, async (trx) => {
    await lockCohort(trx, cohortId);
    const former = await readSettings(trx, cohortId);
    const isSwitchedOn = changes.enrolsAtOnce === true && !former.enrolsAtOnce;
    if (isSwitchedOn) await requireOpenCohort(trx, cohortId);
    await updateSettingsRow(trx, cohortId, changes);
    if (isSwitchedOn) {
      const entryIds = await findCohortProductIds(trx, cohortId);
      await ctx.jobs.enqueue(trx, assignProductsJob, { cohortId, entryIds, after: null });
    }
    await recordAction(trx, viewer, {
      action: 'admin.update-cohort-settings',
      object: cohortId,
      detail: toDetail(changes),
      requestId,
    });
    return await readSettings(trx, cohortId);
  });
}

/** The audit log says that the message changed, not what somebody wrote in it. */
function toDetail({ invitationWords, ...rest }: InputOf<typeof updateCohortSettings>['body']) {
  return invitationWords === undefined ? rest : { ...rest, fields: ['invitationWords'] };
}

/** The invitation mail as it would leave now. */
export async function previewInvitation(
  ctx: Ctx,
  cohortId: string,
  { invitationWords }: InputOf<typeof previewInvitationMail>['body'],
  given: Locale,
): Promise<ReplyOf<typeof previewInvitationMail>> {
  const cohort = await getCohort(ctx.db, cohortId);
  if (!cohort) throw notFound();
  const words =
    invitationWords === undefined ? (await readSettings(ctx.db, cohortId)).invitationWords : invitationWords;
  const site = ctx.site.current();
  const locale = toOffered(given, site);
  const inviting = { partner: cohort.primaryPartner, support: cohort.supportContact, words };
  const attached = await findAttached(ctx.db, cohortId, NAMED_PRODUCTS);
  const values = toInvitationValues({ ...inviting, site: site.name, attached }, locale);
  return wordMail({ kind: 'cohort_invitation', locale, values, link: '' }, site);
}
