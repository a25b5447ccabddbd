import { createTranslator, type MessageValues } from '@officium/i18n/catalogue';
import { dirOf } from '@officium/i18n/locales';
import type { Locale } from '@officium/contract/common';

export type MailContent = {
  /** Selects the texts: mail.<kind>.subject, .body (paragraphs separated by a blank line) and, with a link, .action. */
  kind: string;
  locale: Locale;
  values?: MessageValues;
  /** Shown on a line of its own. */
  code?: string;
  /** The only absolute link. */
  link: string;
};

/** The parts of the site that mails show: its name, the address for questions, and the colour of the button. */
export type MailSite = { name: string; contact: string | null; accent: { light: { accent: string } } | null };

export type RenderedMail = { subject: string; text: string; html: string };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

type Words = { subject: string; paragraphs: string[]; action: string; footer: string };

/** The texts of a mail, independent of its recipient. */
export function wordMail({ kind, locale, values }: MailContent, { name, contact }: MailSite): Words {
  const { t } = createTranslator(locale);
  return {
    subject: t(`mail.${kind}.subject`, values),
    paragraphs: t(`mail.${kind}.body`, values).split(/\n{2,}/),
    action: t(`mail.${kind}.action`, values),
    footer: [t('mail.footer', { site: name }), ...(contact ? [t('mail.contact', { contact })] : [])].join(' '),
  };
}

/**
 * A mail in its recipient's language, as plain text and as HTML. Translating takes longest: pass `words` when known.
 */
export function renderMail(mail: MailContent, site: MailSite, words: Words = wordMail(mail, site)): RenderedMail {
  const { locale, code, link } = mail;
  const { subject, paragraphs, action, footer } = words;
  const dir = dirOf(locale);
  const text = [...paragraphs, ...(code ? [code] : []), `${action}:\n${link}`, `-- \n${footer}`].join('\n\n');
  const html = `<!doctype html>
<html lang="${locale}" dir="${dir}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#fbfaf7;color:#1b1f3b;font:16px/1.5 'Public Sans',Arial,sans-serif">
<div style="max-width:34em;margin:0 auto;padding:32px 24px">
<p style="font:600 20px Georgia,serif;margin:0 0 24px">${escapeHtml(site.name)}</p>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`).join('\n')}
${code ? `<p style="margin:0 0 16px;font:600 28px/1.2 monospace;letter-spacing:.2em" dir="ltr">${escapeHtml(code)}</p>` : ''}
<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${site.accent?.light.accent ?? '#0b6e6e'};color:#ffffff;text-decoration:none">${escapeHtml(action)}</a></p>
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #dcd8cf;font-size:14px;color:#565a73">${escapeHtml(footer)}</p>
</div></body></html>`;
  return { subject, text, html };
}
