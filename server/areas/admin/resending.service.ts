import type { Locale } from '@officium/contract/common';
import { toOffered } from '@officium/i18n/negotiate';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { findRecipients, queueMails } from '#server/mail/outbox.ts';
import { type Inviting, NAMED_PRODUCTS, toInvitationValues } from './invitation.view.ts';
import { findAttached } from './product.repository.ts';
import { findNotDue, markSentAgain, type InvitationToSend } from './resend.repository.ts';

/** Minimum hours between two invitation mails to one address, across all cohorts. */
export const HOURS_BETWEEN = 24;

type Letter = Inviting & { cohortId: string; locale: Locale };

/**
 * Mails the due invitations again, in the user's language or else the given one, and returns their number. The caller
 * holds their locks.
 */
export async function sendAgain(
  ctx: Ctx,
  db: Db,
  { cohortId, locale, ...inviting }: Letter,
  invitations: InvitationToSend[],
): Promise<number> {
  const ids = invitations.map(({ id }) => id);
  const emails = invitations.map(({ email }) => email);
  const lately = await findNotDue(db, ids, HOURS_BETWEEN);
  const written = await findRecipients(db, { kind: 'cohort_invitation', emails, hours: HOURS_BETWEEN });
  const due = invitations.filter((one) => !one.is_inactive && !lately.has(one.id) && !written.has(one.email));
  await markSentAgain(
    db,
    due.map(({ id }) => id),
  );
  const attached = due.length > 0 ? await findAttached(db, cohortId, NAMED_PRODUCTS) : [];
  const site = ctx.site.current();
  await queueMails(
    ctx,
    db,
    due.map((one) => {
      const language = toOffered(one.locale ?? locale, site);
      return {
        kind: 'cohort_invitation',
        to: one.email,
        locale: language,
        values: toInvitationValues({ ...inviting, site: site.name, attached }, language),
        link: linkTo(ctx, '/signup', { email: one.email }),
        aboutId: one.id,
        ...(one.user_id === null ? {} : { userId: one.user_id }),
      };
    }),
  );
  return due.length;
}
