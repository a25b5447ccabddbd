import { ENROLMENT_STATUSES } from '@officium/contract/learner';
import type { EnrolmentStatus } from './enrolment.rows.ts';

/**
 * created → pending → enrolled → expired, each step or several at once, never back; what has ended is brought back by a
 * new end in the future, or by none.
 */
export function canMove(from: EnrolmentStatus, to: EnrolmentStatus, hasNewEnd: boolean): boolean {
  if (from === 'expired' && to === 'enrolled') return hasNewEnd;
  return ENROLMENT_STATUSES.indexOf(to) >= ENROLMENT_STATUSES.indexOf(from);
}
