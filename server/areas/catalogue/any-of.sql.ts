import { type RawBuilder, sql } from 'kysely';

/** `any($1::text[])`, for `column = any(…)`. One parameter for a list of any length, which may be empty. */
export function anyOf(values: readonly string[], type: 'text' | 'uuid'): RawBuilder<string> {
  return sql<string>`any(${[...values]}::${sql.raw(type)}[])`;
}
