import type { ReportedThing } from '@officium/contract/moderation';
import type { ReportedRow, ReportRow } from './report.repository.ts';

type OwnReport = ReportedThing['reports'][number];

export function toReport({ createdAt, updatedAt, ...row }: ReportRow): OwnReport {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** A thing with its open reports, without a word of who made them. */
export function toReportedThing(row: ReportedRow, canRemove: boolean): ReportedThing {
  const { authorId: _, isAuthorTop: __, actor, createdAt, reports, claim, ...thing } = row;
  return {
    ...thing,
    actor: actor as ReportedThing['actor'], // made by reader.sql.ts, as everywhere
    createdAt: createdAt.toISOString(),
    reports: reports.map((report) =>
      toReport({ ...report, createdAt: new Date(report.createdAt), updatedAt: new Date(report.updatedAt) }),
    ),
    canRemove,
    claim: claim && { ...claim, until: new Date(claim.until).toISOString() },
  };
}
