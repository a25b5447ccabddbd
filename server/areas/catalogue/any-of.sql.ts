import { type RawBuilder, sql } from 'kysely';

/** `any($1::text[])`, for `column = any(…)`. One parameter for a list of any length, which may be empty. */
export function anyOf(values: readonly string[], type: 'text' | 'uuid'): RawBuilder<string> {
  return sql<string>`any(${[...values]}::${sql.raw(type)}[])`;
}

/**
 * The same for pages. The planner does not see how many values there are, so the prepared statement is planned once; with
 * a list of fewer than ten it would be planned at each execution.
 */
export function anyOfUnseen(values: readonly string[], type: 'text' | 'uuid'): RawBuilder<string> {
  const list = sql.raw(`${type}[]`);
  return sql<string>`any((select ${[...values]}::${list})::${list})`;
}
