import type { Locale } from '@officium/contract/common';
import { createTranslator, type MessageValues } from '@officium/i18n/catalogue';
import { plainWords } from '#server/areas/notifications/mail.view.ts';
import { pickText } from '#server/text/localised.ts';
import type { AttachedRow } from './product.repository.ts';

/** Products that an invitation names; it has room for a short list. */
export const NAMED_PRODUCTS = 10;

/** Values of the invitation mail: the inviting partner, the site, and the products of the cohort with their due dates. */
export function toInvitationValues(
  { partner, site, attached }: { partner: string; site: string; attached: AttachedRow[] },
  locale: Locale,
): MessageValues {
  const { t, formatDate } = createTranslator(locale);
  const lines = attached.map(({ title, dueOn }) => {
    const name = plainWords(pickText(title, locale).text);
    const date = dueOn && formatDate(`${dueOn}T00:00:00Z`, { dateStyle: 'long' });
    return `– ${date ? t('mail.cohort_invitation_due', { title: name, date }) : name}`;
  });
  return { partner, site, count: lines.length, list: lines.join('\n') };
}
