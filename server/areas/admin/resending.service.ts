import type { Locale } from '@officium/contract/common';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { findRecipients, queueMails } from '#server/mail/outbox.ts';
import { findLately, markSentAgain, type InvitationToSend } from './resend.repository.ts';

/** Nobody gets an invitation twice within so long, whatever cohort it is to. */
export const HOURS_BETWEEN = 24;

type Letter = { locale: Locale; partner: string };

/** Writes those again that are due, in their language or else the given one; how many. They and the task are locked. */
export async function sendAgain(
  ctx: Ctx,
  db: Db,
  { locale, partner }: Letter,
  invitations: InvitationToSend[],
): Promise<number> {
  const ids = invitations.map(({ id }) => id);
  const emails = invitations.map(({ email }) => email);
  const lately = await findLately(db, ids, HOURS_BETWEEN);
  const written = await findRecipients(db, { kind: 'cohort_invitation', emails, hours: HOURS_BETWEEN });
  const due = invitations.filter((one) => !one.is_inactive && !lately.has(one.id) && !written.has(one.email));
  await markSentAgain(
    db,
    due.map(({ id }) => id),
  );
  await queueMails(
    ctx,
    db,
    due.map((one) => ({
      kind: 'cohort_invitation',
      to: one.email,
      locale: one.locale ?? locale,
      values: { partner },
      link: linkTo(ctx, '/signup', { email: one.email }),
      aboutId: one.id,
      ...(one.user_id === null ? {} : { userId: one.user_id }),
    })),
  );
  return due.length;
}
