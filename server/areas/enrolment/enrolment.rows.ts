import type { EnrolmentMetadata, ENROLMENT_TYPES, REFERRAL_TYPES } from '@officium/contract/enrolment';
import type { ENROLMENT_STATUSES } from '@officium/contract/learner';
import type { z } from 'zod';

// Rows that the repositories of this area return and its policies and views read.

export type EnrolmentStatus = (typeof ENROLMENT_STATUSES)[number];
export type EnrolmentType = (typeof ENROLMENT_TYPES)[number];
export type ReferralType = (typeof REFERRAL_TYPES)[number];
export type Metadata = Omit<z.output<typeof EnrolmentMetadata>, 'expiresOn'>;

/** An enrolment held for an e-mail address. `status` is the current one, which the stored status may lag behind. */
export type BulkEnrolmentRow = {
  id: string;
  email: string;
  type: EnrolmentType;
  slug: string;
  status: EnrolmentStatus;
  expires_on: Date | null;
  metadata: Metadata;
  user_defaults: Record<string, string>;
  cohort_ids: string[];
  created_at: Date;
  updated_at: Date;
};

/** An enrolment to store, as a request describes it. */
export type EnrolmentRequest = {
  email: string;
  type: EnrolmentType;
  slug: string;
  expiresOn: Date | null;
  metadata: Metadata;
  userDefaults: Record<string, string>;
  cohortIds: string[];
};

export type ReferralRow = {
  id: string;
  email: string;
  type: ReferralType;
  slug: string;
  created_at: Date;
  updated_at: Date;
};
