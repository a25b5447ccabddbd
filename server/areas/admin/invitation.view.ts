import { Email, type Locale } from '@officium/contract/common';
import { createTranslator, type MessageValues } from '@officium/i18n/catalogue';
import { plainWords, toQuotation } from '#server/areas/notifications/mail.view.ts';
import { pickText } from '#server/text/localised.ts';
import type { AttachedRow } from './product.repository.ts';

/** Products that an invitation names; it has room for a short list. */
export const NAMED_PRODUCTS = 10;

/** The inviting partner, its support contact, and its own words in invitations. */
export type Inviting = { partner: string; support: string | null; words: string | null };

/** Values of the invitation mail: who invites, the site, and the products of the cohort with their due dates. */
export function toInvitationValues(
  { partner, support, words, site, attached }: Inviting & { site: string; attached: AttachedRow[] },
  locale: Locale,
): MessageValues {
  const { t, formatDate } = createTranslator(locale);
  const lines = attached.map(({ title, dueOn }) => {
    const name = plainWords(pickText(title, locale).text);
    const date = dueOn && formatDate(`${dueOn}T00:00:00Z`, { dateStyle: 'long' });
    return `– ${date ? t('mail.cohort_invitation_due', { title: name, date }) : name}`;
  });
  const contact = support?.trim() ?? '';
  return {
    partner,
    site,
    words: toQuotation({ words, place: partner }, locale),
    count: lines.length,
    list: lines.join('\n'),
    hasSupport: contact === '' ? 'no' : 'yes',
    support: Email.safeParse(contact).success ? contact : plainWords(contact),
  };
}
