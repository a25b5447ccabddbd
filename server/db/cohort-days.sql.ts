import { type Expression, type RawBuilder, sql } from 'kysely';

const TODAY = sql`(now() at time zone 'UTC')::date`;

/** The last day of a cohort ends at midnight UTC, like a due day. False without one. */
export function isOver(endsOn: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${endsOn} < ${TODAY}, false)`;
}

/** The first day of a cohort that has not begun; null afterwards. */
export function comingDay(beginsOn: Expression<unknown>): RawBuilder<string | null> {
  return sql<string | null>`case when ${beginsOn} > ${TODAY} then ${beginsOn}::text end`;
}
