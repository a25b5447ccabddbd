import type { UPLOAD_OUTCOMES } from '@officium/contract/admin';
import type { Locale } from '@officium/contract/common';
import { toOffered } from '@officium/i18n/negotiate';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { linkTo } from '#server/areas/auth/mails.service.ts';
import { findRecipients, queueMails } from '#server/mail/outbox.ts';
import { notify } from '#server/notify/notify.ts';
import {
  findAccounts,
  insertInvitations,
  insertMembers,
  lockPlacing,
  type CohortPlacing,
} from './member.repository.ts';
import { type Inviting, NAMED_PRODUCTS, toInvitationValues } from './invitation.view.ts';
import { findAttached } from './product.repository.ts';

/** Cohorts may invite one address on the same day; somebody invited and withdrawn again and again gets no more mails. */
const MAX_MAILS_A_DAY = 3;

export type PlacingOutcome = (typeof UPLOAD_OUTCOMES)[number];
export type Placed = { outcome: PlacingOutcome; reason: 'inactive_account' | null };

/**
 * Adds addresses with a proven account as members and invites the others, in their language or else the given one.
 * Idempotent. Returns an outcome per address, in order. `db` is a transaction that has just begun; the addresses must
 * be distinct and sorted, so that concurrent calls cannot deadlock.
 */
export async function placePeople(
  ctx: Ctx,
  db: Db,
  placing: CohortPlacing & Inviting & { locale: Locale; mailsAfterSeconds?: number | undefined },
  emails: string[],
): Promise<Placed[]> {
  await lockPlacing(db);
  const accounts = new Map((await findAccounts(db, emails)).map((account) => [account.email, account]));
  const isOut = (email: string) => accounts.get(email)?.is_inactive ?? false;
  const memberOf = (email: string) => {
    const account = accounts.get(email);
    return account?.is_proven && !account.is_inactive ? account.id : undefined;
  };
  const added = await insertMembers(
    db,
    placing,
    emails.flatMap((email) => memberOf(email) ?? []),
  );
  await notify(
    db,
    [...added].map((userId) => ({ userId, event: 'cohort_membership', objectId: placing.cohortId })),
  );
  const invited = await insertInvitations(
    db,
    placing,
    emails.filter((email) => !isOut(email) && memberOf(email) === undefined),
  );
  const written = await findRecipients(db, {
    kind: 'cohort_invitation',
    emails: [...invited.keys()],
    hours: 24,
    atLeast: MAX_MAILS_A_DAY,
  });
  const attached = invited.size > 0 ? await findAttached(db, placing.cohortId, NAMED_PRODUCTS) : [];
  const { partner, support, words } = placing;
  const site = ctx.site.current();
  await queueMails(
    ctx,
    db,
    [...invited]
      .filter(([email]) => !written.has(email))
      .map(([email, aboutId]) => {
        const account = accounts.get(email);
        const locale = toOffered(account ? (account.locale as Locale) : placing.locale, site); // only locales are stored
        return {
          kind: 'cohort_invitation',
          to: email,
          locale,
          values: toInvitationValues({ partner, support, words, site: site.name, attached }, locale),
          link: linkTo(ctx, '/signup', { email }),
          aboutId,
          ...(account ? { userId: account.id } : {}),
        };
      }),
    { startAfterSeconds: placing.mailsAfterSeconds },
  );
  return emails.map((email): Placed => {
    if (isOut(email)) return { outcome: 'invalid', reason: 'inactive_account' };
    const userId = memberOf(email);
    const isNew = userId === undefined ? invited.has(email) : added.has(userId);
    return { outcome: isNew ? (userId === undefined ? 'invited' : 'added') : 'already', reason: null };
  });
}
