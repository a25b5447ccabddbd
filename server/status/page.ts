import { createTranslator } from '@officium/i18n/catalogue';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import type { Site, StoredNotice } from '#server/site/site.ts';
import { escapeHtml } from '#server/text/html.ts';
import { overallOf, PARTS, type PartState, type SiteStatus } from './checks.ts';

// The page stands alone: it has to be shown while the pages of the application cannot.

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f3b;--paper:#fff;--soft:#565a73;--line:#cfcad9;--good:#1b6b3a;--bad:#a3262a;--link:#0b5e5e}
@media (prefers-color-scheme:dark){:root{--ink:#eceaf4;--paper:#15172b;--soft:#b4b6c9;--line:#44475f;--good:#7fd6a0;--bad:#ff9d98;--link:#7fd3d3}}
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1.5rem;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
h1{line-height:1.2;margin-block:.25rem 0}h2{margin-block:2rem .5rem;font-size:1.25rem}a{color:var(--link)}p{margin-block:.5rem}
.soft,footer{color:var(--soft)}footer{margin-block-start:2rem}.overall{font-size:1.25rem;font-weight:600}
dl{margin:1.5rem 0;border-block-start:1px solid var(--line)}
dl>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding-block:.75rem;border-block-end:1px solid var(--line)}
dd{margin:0;font-weight:600}.works{color:var(--good)}.fails{color:var(--bad)}
.notice{border-inline-start:4px solid var(--link);padding-inline-start:1rem}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}nav a{display:inline-block;padding-block:.25rem}`;

/** The fonts of the built pages: CSS for all languages, and further style sheets by language. */
export type PageFonts = { css: string; sheets: Readonly<Record<string, string>> };

type Shown = {
  status: SiteStatus;
  site: Pick<Site, 'name' | 'languages'>;
  notices: readonly StoredNotice[];
  locale: Locale;
  fonts: PageFonts | undefined;
};

/** The text of a notice in the language of the page, else in the first it has. */
export function wordsOf({ texts }: StoredNotice, locale: Locale): { text: string; lang: string } | undefined {
  const all = texts as Record<string, string | undefined>;
  const lang = all[locale] ? locale : all['en'] ? 'en' : Object.keys(all).find((key) => all[key]);
  return lang ? { text: all[lang] ?? '', lang } : undefined;
}

/** The status as a page in plain HTML, without script. `nonce` allows its style. */
export function statusPage({ status, site, notices, locale, fonts }: Shown, nonce: string): string {
  const { t, dir, formatDate } = createTranslator(locale);
  const text = (key: string, values?: Record<string, string>) => escapeHtml(t(`document.status.${key}`, values));
  const overall = overallOf(status);
  const row = (name: string, state: PartState) =>
    `<div><dt>${text(`part_${name}`)}</dt><dd class="${state}">${text(`state_${state}`)}</dd></div>`;
  const when = formatDate(status.checkedAt, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const said = notices.flatMap((notice) => {
    const words = wordsOf(notice, locale);
    const since = formatDate(notice.startsAt, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
    return words
      ? [
          `<div class="notice"><p lang="${escapeHtml(words.lang)}" dir="auto">${escapeHtml(words.text)}</p><p class="soft">${escapeHtml(since)} UTC</p></div>`,
        ]
      : [];
  });
  const languages = site.languages.map((one) => {
    const current = one === locale ? ' aria-current="true"' : '';
    return `<li><a href="/status?locale=${one}" lang="${one}" hreflang="${one}"${current}>${escapeHtml(endonymOf(one))}</a></li>`;
  });
  const sheet = fonts?.sheets[locale];
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${text('title')} · ${escapeHtml(site.name)}</title>
<link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${STYLE}${fonts?.css ?? ''}</style>
</head>
<body>
<main>
<p class="soft"><bdi>${escapeHtml(site.name)}</bdi></p>
<h1>${text('title')}</h1>
<p class="overall ${overall === 'works' ? 'works' : 'fails'}">${text(`overall_${overall}`)}</p>
<dl>
${PARTS.map((part) => row(part, status.parts[part])).join('\n')}
</dl>
<h2>${text('notices')}</h2>
${said.length > 0 ? said.join('\n') : `<p>${text('no_notices')}</p>`}
</main>
<footer>
<p>${text('checked', { time: `${when} UTC` })}</p>
<p><a href="/">${text('to_site')}</a></p>
<nav aria-label="${text('languages')}"><ul>${languages.join('')}</ul></nav>
</footer>
${sheet ? `<link rel="stylesheet" href="${sheet}">` : ''}
</body>
</html>
`;
}
