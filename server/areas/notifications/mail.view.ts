import { createTranslator } from '@officium/i18n/catalogue';
import type { Locale } from '@officium/contract/common';
import { parse } from 'tldts';
import type { NotificationRow } from './notification.repository.ts';

const MAX_CHARACTERS = 120;

/**
 * A word with dots, and the port, path or query that may follow a host name. Begins where a word does; from each letter of
 * a long word it would take quadratic time.
 */
const DOTTED = /(?<![\p{L}\p{N}-])([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?:[:/?#]\S*)?/gu;

/** Mail programs turn host names into links even without a scheme. */
function withoutHosts(text: string): string {
  return text.replace(DOTTED, (whole, host: string) => (parse(host).isIcann ? '…' : whole));
}

/** Text written by another user, without anything that a mail program would turn into a link. */
export function withoutLinks(text: string): string {
  return withoutHosts(text.replace(/(?:[a-z][a-z+.-]*:\/\/|www\.)\S*/gi, '…'));
}

/** The beginning of such a text, on one line. */
export function plainWords(text: string): string {
  const words = withoutLinks(text).replace(/\s+/g, ' ');
  const characters = [...words];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : words;
}

function keyOf({ event, due, title, page }: NotificationRow) {
  if ((event === 'assignment' || event === 'enrolment') && due) return `mail.notified.${event}_due` as const;
  if (due === 'due' || due === 'late') return `mail.notified.course_${due}` as const;
  // A role that was taken away, or that holds everywhere, has no title.
  if (event === 'role_change' && !title) return 'mail.notified.role_change_other';
  if (event === 'registration_decided' && page[0] === 'refusedRegistration')
    return 'mail.notified.registration_refused';
  if (event === 'community_membership' && page[0] === 'communityMembers') return 'mail.notified.community_owner';
  return `mail.notified.${event}` as const;
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * The message of somebody in charge of a cohort, attributed to its partner. Every line is quoted, so that no line looks like
 * the platform's own. Empty without words.
 */
export function toQuotation({ words, place }: Pick<NotificationRow, 'words' | 'place'>, locale: Locale): string {
  if (!words) return '';
  const { t } = createTranslator(locale);
  const sender = plainWords(place || '') || t('mail.notified.somebody');
  const lines = withoutLinks(words).trim().split(LINE_BREAK);
  return [t('mail.notification.words', { sender }), ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
}

/** One notification as a sentence. */
export function toSentence(row: NotificationRow, locale: Locale): string {
  const { t, formatDate } = createTranslator(locale);
  return t(keyOf(row), {
    actor: row.actorName === null ? t('mail.notified.somebody') : plainWords(row.actorName),
    others: row.count - 1,
    count: row.count,
    title: plainWords(row.title || row.place || ''),
    place: plainWords(row.place || ''),
    date: row.dueAt ? formatDate(row.dueAt) : '',
  });
}
