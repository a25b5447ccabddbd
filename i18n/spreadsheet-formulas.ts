/** Characters that start a formula, with their full-width forms, which some spreadsheets convert. */
const SIGN = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\u2212\uFE62\uFE63\uFE66\uFE6B]`;
const LINE_OR_TAB = String.raw`\t\n\v\f\r\x85\u2028\u2029`;
const SEPARATOR = String.raw`(?<=[;\uFF1B${LINE_OR_TAB}])`;

/** A formula at the start of a value, also after invisible characters that a spreadsheet may drop. */
const FORMULA = String.raw`(?='*(?:[\s\p{Cc}\p{Cf}]*${SIGN}|[\t\r\n\0]))`;

/**
 * A formula after a semicolon, a tab or a line end inside a value. In many countries spreadsheets split lines at
 * semicolons, and a quote in the middle of a cell does not protect it.
 */
const FORMULA_WITHIN = String.raw`(?='*(?:(?![${LINE_OR_TAB}])[\s\p{Cc}\p{Cf}"])*${SIGN})`;

const START = new RegExp(`^${FORMULA}`, 'u');
const START_WITHIN = new RegExp(SEPARATOR + FORMULA_WITHIN, 'gu');
const GUARD = new RegExp(`^'${FORMULA}`, 'u');
const GUARD_WITHIN = new RegExp(`${SEPARATOR}'${FORMULA_WITHIN}`, 'gu');

/** Puts an apostrophe before whatever a spreadsheet would run as a formula, so that it is only shown. */
export function guardFormulas(text: string): string {
  return text.replace(START, "'").replace(START_WITHIN, "'");
}

/** Reverts `guardFormulas`, which adds an apostrophe also where there is one already. */
export function unguardFormulas(text: string): string {
  return text.replace(GUARD_WITHIN, '').replace(GUARD, '');
}
