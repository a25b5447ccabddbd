import type { BulkEnrolment, EnrolmentAnswer } from '@officium/contract/enrolment';
import type { z } from 'zod';
import type { BulkEnrolmentRow } from './enrolment.rows.ts';

const toMetadata = (row: BulkEnrolmentRow) => ({
  ...row.metadata,
  expiresOn: row.expires_on?.toISOString() ?? null,
});

const toTimes = (row: BulkEnrolmentRow) => ({
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export function toBulkEnrolment(row: BulkEnrolmentRow): z.output<typeof BulkEnrolment> {
  const { id, email, type, slug, status } = row;
  const metadata = toMetadata(row);
  return {
    id,
    email,
    type,
    slug,
    status,
    metadata,
    userDefaults: row.user_defaults,
    cohortIds: row.cohort_ids,
    enrolments: [{ type, slug, enrolmentMetadata: metadata }],
    ...toTimes(row),
  };
}

/** One address of a request, with its records. */
export function toEnrolment(
  input: { email: string; userDefaults: Record<string, string>; cohortIds: string[] },
  rows: BulkEnrolmentRow[],
): z.output<typeof EnrolmentAnswer> {
  return {
    email: input.email,
    userDefaults: input.userDefaults,
    cohortIds: input.cohortIds,
    enrolments: rows.map((row) => ({
      id: row.id,
      type: row.type,
      slug: row.slug,
      status: row.status,
      enrolmentMetadata: toMetadata(row),
      ...toTimes(row),
    })),
  };
}
