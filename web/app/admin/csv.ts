type Value = string | number | null | undefined;

/** Characters that begin a formula, with their full-width forms, which some spreadsheets convert. */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212\uFE62\uFE63\uFE66\uFE6B]`;
const LINE_OR_TAB = String.raw`\t\n\v\f\r\x85\u2028\u2029`;

/** A formula at the beginning of a value, also behind what is not seen and may be dropped. */
const FORMULA = new RegExp(String.raw`^[\s\p{Cc}\p{Cf}]*${SIGN}|^[\t\r\n\0]`, 'u');

/**
 * The same behind a semicolon, a tab or the end of a line within a value: in many countries spreadsheets cut lines at
 * semicolons, and a quote in the middle of a cell protects nothing.
 */
const FORMULA_WITHIN = new RegExp(
  String.raw`(?<=[;\uFF1B${LINE_OR_TAB}])(?=(?:(?![${LINE_OR_TAB}])[\s\p{Cc}\p{Cf}"])*${SIGN})`,
  'gu',
);

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
  const harmless = (FORMULA.test(text) ? `'${text}` : text).replace(FORMULA_WITHIN, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
