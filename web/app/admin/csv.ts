type Value = string | number | null | undefined;

/**
 * What a spreadsheet takes for the beginning of a formula: the signs themselves, their full-width forms, which some turn
 * into them, and either after what is not seen and may be dropped.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212\uFE62\uFE63\uFE66\uFE6B]|^[\t\r\n\0]/u;

/** A table as a file to download: RFC 4180 in UTF-8, with the mark Excel knows it by. `name` is without its ending. */
export function csvReply(name: string, header: readonly string[], rows: readonly (readonly Value[])[]): Response {
  return new Response(toCsv([header, ...rows]), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}

/** Lines of values. A text that a spreadsheet would run is made one it only shows. */
export function toCsv(rows: readonly (readonly Value[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')}`;
}

function toField(value: Value): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
