import { guardFormulas } from '@officium/i18n/spreadsheet-formulas';

type Value = string | number | null | undefined;

/** A table as a CSV download: RFC 4180 in UTF-8, with the byte order mark Excel expects. `name` has no extension. */
export function csvReply(name: string, header: readonly string[], rows: readonly (readonly Value[])[]): Response {
  return new Response(toCsv([header, ...rows]), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}

/** CSV lines. A text that a spreadsheet would run as a formula is escaped so that it is only shown. */
export function toCsv(rows: readonly (readonly Value[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')}`;
}

function toField(value: Value): string {
  if (typeof value === 'number') return String(value);
  const harmless = guardFormulas(value ?? '');
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
