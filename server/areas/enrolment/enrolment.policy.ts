import { ENROLMENT_STATUSES } from '@officium/contract/learner';
import type { EnrolmentStatus } from './enrolment.rows.ts';

/**
 * Statuses only move forward (created → pending → enrolled → expired), one or several steps at a time. The exception: a new
 * end date in the future, or none, revives an expired record.
 */
export function canMove(from: EnrolmentStatus, to: EnrolmentStatus, hasNewEnd: boolean): boolean {
  if (from === 'expired' && to === 'enrolled') return hasNewEnd;
  return ENROLMENT_STATUSES.indexOf(to) >= ENROLMENT_STATUSES.indexOf(from);
}
