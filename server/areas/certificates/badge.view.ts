import { DEFAULT_LOCALE } from '@officium/contract/common';
import { createTranslator } from '@officium/i18n/catalogue';
import { dirOf, isLocale } from '@officium/i18n/locales';
import type { PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

const LINE_LENGTH = 17;
const MAX_LINES = 4;

/** The badge of a certificate: an SVG with the signed credential baked in (Open Badges 3.0, section 5.3.2). */
export function toBadge(row: PublicCertificateRow, jwt: string, issuer: string): string {
  const until = untilOf(row);
  const lines = toLines(row.course_title);
  const top = 250 - (lines.length - 1) * 21;
  const text = lines.map((line, n) => `<tspan x="256" y="${top + n * 42}">${escapeXml(line)}</tspan>`).join('');
  const direction = isLocale(row.locale) ? dirOf(row.locale) : 'ltr';
  const title = escapeXml([row.course_title, row.name_on_certificate, issuer, until].filter(Boolean).join(' · '));
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0"',
    ` viewBox="0 0 512 512" role="img" aria-labelledby="title" lang="${escapeXml(row.locale)}">`,
    `<openbadges:credential verify="${escapeXml(jwt)}"></openbadges:credential>`,
    `<title id="title">${title}</title>`,
    '<circle cx="256" cy="256" r="248" fill="#0b6e6e"/><circle cx="256" cy="256" r="226" fill="#fbfaf7"/>',
    '<circle cx="256" cy="256" r="212" fill="none" stroke="#ffc53d" stroke-width="4"/>',
    '<g fill="none" stroke="#0b6e6e" stroke-width="6"><path d="M176 412a32 32 0 0 1 64 0M224 412a32 32 0 0 1 64 0M272 412a32 32 0 0 1 64 0"/></g>',
    '<circle cx="256" cy="372" r="8" fill="#ffc53d"/>',
    `<g text-anchor="middle" direction="${direction}" fill="#1b1f3b" font-family="'Source Serif 4', Georgia, serif">`,
    `<text font-size="36" font-weight="600">${text}</text></g>`,
    ...(until === '' ? [] : [toUntil(until)]),
    `<text x="256" y="118" text-anchor="middle" fill="#565a75" font-size="24" font-family="'Public Sans', Arial, sans-serif">${escapeXml(issuer)}</text>`,
    '</svg>\n',
  ].join('');
}

/** The line about the end of validity, in the language of the certificate; empty without one. */
function untilOf({ expires_at: end, locale }: PublicCertificateRow): string {
  if (end === null) return '';
  const { t } = createTranslator(isLocale(locale) ? locale : DEFAULT_LOCALE);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(end);
  return t('learning.valid_until', { date });
}

const toUntil = (until: string) =>
  `<text x="256" y="152" text-anchor="middle" fill="#565a75" font-size="20" font-family="'Public Sans', Arial, sans-serif">${escapeXml(until)}</text>`;

/**
 * Wraps a title. Scripts without spaces are cut at the line length, and a title that is too long ends in an ellipsis.
 */
function toLines(title: string): string[] {
  const words = title.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'gu')) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_LENGTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]}…`];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
