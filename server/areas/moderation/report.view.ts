import type { ReportedThing } from '@officium/contract/moderation';
import type { toAuthored } from '#server/areas/community/reading/person.view.ts';
import type { ReportedRow, ReportRow } from './report.repository.ts';

type OwnReport = ReportedThing['reports'][number];

export function toReport({ createdAt, updatedAt, ...row }: ReportRow): OwnReport {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Reported content with its open reports, without the names of the reporters. */
export function toReportedThing(
  row: ReportedRow,
  people: ReturnType<typeof toAuthored>,
  canRemove: boolean,
): ReportedThing {
  const { kind, id, activityId, title, bodyHtml, locale, lesson, article, createdAt, reports, claim } = row;
  return {
    kind,
    id,
    activityId,
    title,
    bodyHtml,
    locale,
    lesson,
    article,
    ...people,
    createdAt: createdAt.toISOString(),
    reports: reports.map((report) =>
      toReport({ ...report, createdAt: new Date(report.createdAt), updatedAt: new Date(report.updatedAt) }),
    ),
    canRemove,
    claim: claim && { ...claim, until: new Date(claim.until).toISOString() },
  };
}
