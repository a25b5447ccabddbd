// Raw SQL: one statement of seven common table expressions, which groups by year.
import type { ReportReason } from '@officium/contract/moderation';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type YearRow = {
  year: number;
  reports: number;
  kept: number;
  byReason: Partial<Record<ReportReason, number>>;
  appeals: number;
  reversed: number;
  /** Reports decided in the year, and their median waiting time in hours. */
  decided: number;
  medianHours: number | null;
};

const MAX_YEARS = 10;

/** The newest years with any event. Each event counts in the year in which it happened. */
export async function findYears(db: Db): Promise<YearRow[]> {
  const yearOf = (column: string) => sql`extract(year from ${sql.ref(column)} at time zone 'UTC')::int`;
  const { rows } = await sql<YearRow>`
    with reported as (
      select ${yearOf('created_at')} as year, count(*)::int as reports from content_reports group by 1),
    kept as (
      select year, count(*)::int as kept from (
        select distinct object_id, decided_at, ${yearOf('decided_at')} as year
        from content_reports where status = 'dismissed') cases group by 1),
    waited as (
      select ${yearOf('decided_at')} as year, count(*)::int as decided,
        percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at) / 3600)::float8 as hours
      from content_reports where status <> 'open' group by 1),
    removed as (
      select year, json_object_agg(reason, count) as "byReason" from (
        select ${yearOf('decided_at')} as year, reason, count(*)::int as count
        from moderation_decisions group by 1, 2) reasons group by 1),
    appealed as (
      select ${yearOf('appealed_at')} as year, count(*)::int as appeals
      from moderation_decisions where appealed_at is not null group by 1),
    reversed as (
      select ${yearOf('outcome_at')} as year, count(*)::int as reversed
      from moderation_decisions where outcome = 'reversed' group by 1),
    years as (
      select year from reported union select year from waited union select year from removed
      union select year from appealed union select year from reversed)
    select year, coalesce(reports, 0) as reports, coalesce(kept, 0) as kept, coalesce("byReason", '{}') as "byReason",
      coalesce(appeals, 0) as appeals, coalesce(reversed, 0) as reversed, coalesce(decided, 0) as decided,
      hours as "medianHours"
    from years left join reported using (year) left join kept using (year) left join waited using (year)
      left join removed using (year) left join appealed using (year) left join reversed using (year)
    order by year desc limit ${MAX_YEARS}`.execute(db);
  return rows;
}
