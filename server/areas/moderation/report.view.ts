import type { ReportedThing } from '@officium/contract/moderation';
import type { ReportedRow, ReportRow } from './report.repository.ts';

type OwnReport = ReportedThing['reports'][number];

export function toReport({ createdAt, updatedAt, ...row }: ReportRow): OwnReport {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Reported content with its open reports, without the names of the reporters. */
export function toReportedThing(row: ReportedRow, canRemove: boolean): ReportedThing {
  const { authorId: _, isAuthorTop: __, actor, createdAt, reports, claim, ...content } = row;
  return {
    ...content,
    actor: actor as ReportedThing['actor'], // built by reader.sql.ts in the contract's shape
    createdAt: createdAt.toISOString(),
    reports: reports.map((report) =>
      toReport({ ...report, createdAt: new Date(report.createdAt), updatedAt: new Date(report.updatedAt) }),
    ),
    canRemove,
    claim: claim && { ...claim, until: new Date(claim.until).toISOString() },
  };
}
