import type { ReplyOf } from '@officium/contract/endpoint';
import type { readMyRegistration, Registration } from '@officium/contract/people';
import type { z } from 'zod';
import type { Role } from '#server/access/viewer.ts';
import { statusOf } from './registration.policy.ts';

export type RegistrationRow = {
  email: string | null;
  role: string;
  registration_status: string | null;
  registration_reason: string | null;
  organization: string | null;
  job_title: string | null;
  created_at: Date;
  updated_at: Date;
};

export function toRegistration(row: RegistrationRow): z.output<typeof Registration> {
  return {
    email: row.email ?? '',
    status: statusOf(row),
    role: row.role as Role, // guaranteed by the column's check constraint
    organization: row.organization,
    jobTitle: row.job_title,
    reason: row.registration_reason,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The viewer's own registration. The reason is returned for refusals only: an approval may carry notes of administrators. */
export function toOwnRegistration(
  row: Pick<RegistrationRow, 'role' | 'registration_status' | 'registration_reason'>,
): ReplyOf<typeof readMyRegistration> {
  if (row.registration_status === null) return { status: null, reason: null };
  const status = statusOf(row);
  return { status, reason: status === 'refused' ? row.registration_reason : null };
}
