import { createTranslator } from '@officium/i18n/catalogue';
import type { Locale } from '@officium/contract/common';
import { parse } from 'tldts';
import type { NotificationRow } from './notification.repository.ts';

const MOST_CHARACTERS = 120;

/** A dotted word, with the rest of an address that may follow it. */
const DOTTED = /([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?:[:/?#]\S*)?/gu;

/** Mail programs turn host names into links even without a scheme. */
function withoutHosts(text: string): string {
  return text.replace(DOTTED, (whole, host: string) => (parse(host).isIcann ? '…' : whole));
}

/** What somebody else wrote, without what a mail program would make a link of. */
export function plainWords(text: string): string {
  const words = withoutHosts(text.replace(/(?:[a-z][a-z+.-]*:\/\/|www\.)\S*/gi, '…')).replace(/\s+/g, ' ');
  const characters = [...words];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : words;
}

/** One notification as a sentence. */
export function toSentence(row: NotificationRow, locale: Locale): string {
  const { t, formatDate } = createTranslator(locale);
  const { due } = row;
  return t(due === 'due' || due === 'late' ? `mail.notified.course_${due}` : `mail.notified.${row.event}`, {
    actor: row.actorName === null ? t('mail.notified.somebody') : plainWords(row.actorName),
    others: row.count - 1,
    title: plainWords(row.title || row.place || ''),
    date: row.dueAt ? formatDate(row.dueAt) : '',
  });
}
