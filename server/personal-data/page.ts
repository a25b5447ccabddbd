import type { Translator } from '@officium/i18n/catalogue';
import { escapeHtml } from '../text/html.ts';
import { PARTS, type Part } from './define.ts';

export type Row = Record<string, unknown>;
type Texts = AsyncGenerator<string> | Generator<string>;

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:0 auto;padding:1.5rem;color:#1b1f3b;background:#fff}
a{color:#0b5e5e}dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem;margin:0}
dt{color:#565a73}dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
li{margin-block:.5rem}ol.rows{list-style:none;padding:0}ol.rows>li{border-block-start:1px solid #cfcad9;padding-block:.75rem}
@media (max-width:30rem){dl{grid-template-columns:1fr}}`;

function head({ locale, dir }: Translator, title: string): string {
  return `<!doctype html>
<html lang="${locale}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
`;
}

/** The index page: an explanation and the list of parts. */
export function* indexPage(
  translator: Translator,
  about: { name: string; now: Date; counts: ReadonlyMap<Part, number>; files: readonly { name: string }[] },
): Generator<string> {
  const { t, formatDate } = translator;
  const text = (key: string, values?: Record<string, string | number>) =>
    escapeHtml(t(`document.export.${key}`, values));
  yield head(translator, t('document.export.title'));
  yield `<main>\n<h1>${text('title')}</h1>\n`;
  yield `<p>${text('intro', { name: about.name, date: formatDate(about.now) })}</p>\n<p>${text('left_out')}</p>\n<ul>\n`;
  for (const part of PARTS) {
    const count = text('count', { count: about.counts.get(part) ?? 0 });
    const asData = `<a href="${part}.json" aria-label="${text('as_data', { part: t(`document.export.part.${part}`) })}">JSON</a>`;
    yield `<li><a href="${part}.html">${text(`part.${part}`)}</a> (${count}) · ${asData}</li>\n`;
  }
  for (const { name } of about.files)
    yield `<li><a href="${escapeHtml(name)}">${text('table.profile_images')}</a></li>\n`;
  yield '</ul>\n</main>\n</body>\n</html>\n';
}

/** One part: each of its tables with every row. */
export async function* partPage(
  translator: Translator,
  given: { part: Part; sections: { table: string; rows(): AsyncGenerator<Row> }[] },
): AsyncGenerator<string> {
  const { t } = translator;
  const title = t(`document.export.part.${given.part}`);
  yield head(translator, title);
  yield `<nav><a href="index.html">${escapeHtml(t('document.export.back'))}</a></nav>\n<main>\n<h1>${escapeHtml(title)}</h1>\n`;
  for (const { table, rows } of given.sections) yield* section(translator, table, rows());
  yield '</main>\n</body>\n</html>\n';
}

async function* section(translator: Translator, table: string, rows: AsyncGenerator<Row>): Texts {
  const { t } = translator;
  yield `<section>\n<h2>${escapeHtml(t(`document.export.table.${table}`))}</h2>\n`;
  const labels = new Map<string, string>(); // the same in every row
  const labelOf = (name: string) => {
    const label = labels.get(name) ?? escapeHtml(t(`document.export.field.${name}`));
    labels.set(name, label);
    return label;
  };
  let count = 0;
  for await (const row of rows) {
    if (count++ === 0) yield '<ol class="rows">\n';
    const fields = Object.entries(row).filter(([, value]) => !isEmpty(value));
    yield `<li><dl>${fields
      .map(([name, value]) => `<dt>${labelOf(name)}</dt><dd${shown(translator, value)}</dd>`)
      .join('')}</dl></li>\n`;
  }
  yield count > 0 ? '</ol>\n' : `<p>${escapeHtml(t('document.export.empty'))}</p>\n`;
  yield '</section>\n';
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0;
}

/** The rest of the start tag and the content of the element. */
function shown({ t, formatDate, formatNumber }: Translator, value: unknown): string {
  if (value instanceof Date) {
    const when = formatDate(value, { dateStyle: 'long', timeStyle: 'long' });
    return `><time datetime="${value.toISOString()}">${escapeHtml(when)}</time>`;
  }
  if (typeof value === 'boolean') return `>${escapeHtml(t(`document.export.${value ? 'yes' : 'no'}`))}`;
  if (typeof value === 'number') return `>${escapeHtml(formatNumber(value))}`;
  // Texts of people may be in any language; other objects are shown as in the JSON.
  if (typeof value === 'string') return ` dir="auto">${escapeHtml(value)}`;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return ` dir="auto">${escapeHtml(value.join('\n'))}`;
  return ` dir="ltr"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code>`;
}
