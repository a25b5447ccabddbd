type Value = string | number | null | undefined;

/** Characters that start a formula, with their full-width forms, which some spreadsheets convert. */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212\uFE62\uFE63\uFE66\uFE6B]`;
const LINE_OR_TAB = String.raw`\t\n\v\f\r\x85\u2028\u2029`;

/** A formula at the start of a value, also after invisible characters that a spreadsheet may drop. */
const FORMULA = new RegExp(String.raw`^[\s\p{Cc}\p{Cf}]*${SIGN}|^[\t\r\n\0]`, 'u');

/**
 * A formula after a semicolon, a tab or a line end inside a value. In many countries spreadsheets split lines at
 * semicolons, and a quote in the middle of a cell does not protect it.
 */
const FORMULA_WITHIN = new RegExp(
  String.raw`(?<=[;\uFF1B${LINE_OR_TAB}])(?=(?:(?![${LINE_OR_TAB}])[\s\p{Cc}\p{Cf}"])*${SIGN})`,
  'gu',
);

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
  const text = value ?? '';
  const harmless = (FORMULA.test(text) ? `'${text}` : text).replace(FORMULA_WITHIN, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
