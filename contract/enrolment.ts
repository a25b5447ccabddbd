import { z } from 'zod';
import { Email, LocaleCode, Moment, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { EnrolmentStatus } from './learner.ts';

/** Reasons this service refuses a request, with their status. */
export const enrolmentErrors = {
  'enrolment.backwards': { status: 409, message: 'An enrolment does not go back to an earlier state.' },
} as const;

export const ENROLMENT_TYPES = ['courses', 'communities'] as const;
export const EnrolmentType = z.enum(ENROLMENT_TYPES);
export const REFERRAL_TYPES = ['events', 'microcourses', 'communities', 'courses'] as const;
export const ReferralType = z.enum(REFERRAL_TYPES);

/** The most people one bulk request may name. */
export const MAX_BULK = 1000;
const MAX_ENROLMENTS = 50;
const MAX_COHORTS = 50;

const NO_COHORT = 'At least one cohort ID is required';
export const CohortIds = z
  .array(Uuid, NO_COHORT)
  .min(1, NO_COHORT)
  .max(MAX_COHORTS, `At most ${MAX_COHORTS} cohort IDs`)
  .refine((ids) => new Set(ids).size === ids.length, 'All cohort IDs must be unique');

export const UserDefaults = z
  .record(text({ min: 1, max: 64, name: 'Key' }), text({ max: 500, name: 'Value' }))
  .refine((map) => Object.keys(map).length <= 50, 'At most 50 defaults')
  .describe(
    'What the account gets once its address is proven, where it says nothing itself: `jobTitle`, `organization`. `locale` is the language of the invitation',
  );

const Label = text({ min: 1, max: 256 }).nullish();

export const EnrolmentMetadata = z.object({
  locale: LocaleCode.nullish(),
  expiresOn: Moment.nullish().describe('When the place ends; without it, never'),
  journeyId: Label,
  journeySlug: SlugParam.nullish().describe('One journey of the course; without it, every one'),
  courseId: Label,
  courseSlug: SlugParam.nullish(),
  freeCourse: z.boolean().nullish(),
  courseType: Label,
});

export const EnrolmentItem = z.object({
  type: EnrolmentType,
  slug: SlugParam.describe('Of the course or community'),
  enrolmentMetadata: EnrolmentMetadata.default({}),
});

const enrolmentItems = z
  .array(EnrolmentItem)
  .min(1, 'At least one enrolment is required')
  .max(MAX_ENROLMENTS, `At most ${MAX_ENROLMENTS} enrolments`);

export const Enrolment = z.object({
  email: Email,
  userDefaults: UserDefaults.default({}),
  cohortIds: CohortIds,
  enrolments: enrolmentItems,
});

const MetadataAnswer = z.object({
  locale: z.string().nullish(),
  expiresOn: Timestamp.nullable(),
  journeyId: z.string().nullish(),
  journeySlug: z.string().nullish(),
  courseId: z.string().nullish(),
  courseSlug: z.string().nullish(),
  freeCourse: z.boolean().nullish(),
  courseType: z.string().nullish(),
});

/** One place kept for, or given to, the owner of an address. */
export const BulkEnrolment = z.object({
  id: Uuid,
  email: z.string(),
  type: EnrolmentType,
  slug: z.string(),
  status: EnrolmentStatus,
  metadata: MetadataAnswer,
  userDefaults: z.record(z.string(), z.string()),
  cohortIds: z.array(Uuid),
  enrolments: z
    .array(z.object({ type: EnrolmentType, slug: z.string(), enrolmentMetadata: MetadataAnswer }))
    .describe('The one place, in the form it was asked for'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** All that was asked for one address. */
export const EnrolmentAnswer = z.object({
  email: z.string(),
  userDefaults: z.record(z.string(), z.string()),
  cohortIds: z.array(Uuid),
  enrolments: z.array(
    z.object({
      id: Uuid,
      type: EnrolmentType,
      slug: z.string(),
      status: EnrolmentStatus,
      enrolmentMetadata: MetadataAnswer,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    }),
  ),
});

export const Referral = z.object({
  email: Email,
  type: ReferralType,
  slug: SlugParam.describe('Of what is recommended'),
});

export const ReferralRecord = z.object({
  id: Uuid,
  email: z.string(),
  type: ReferralType,
  slug: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const enrolPerson = endpoint({
  name: 'enrolPerson',
  service: 'enrolment',
  method: 'POST',
  path: '/enrolments',
  auth: 'service',
  summary: 'enrol one person',
  description:
    'Whoever has a proven account with the address is enrolled at once. For anybody else the places wait as `pending` and an invitation is mailed; proving the address gives them. A course or community, a journey or a cohort that does not exist is 400 and nothing changes. A place that has ended is taken up again; one there is keeps the later of two ends. A membership of a community that came with a place ends with it. The places of an inactive account wait, without a mail, until it is in use again.',
  body: Enrolment,
  replies: { 201: EnrolmentAnswer },
});

export const enrolMany = endpoint({
  name: 'enrolMany',
  service: 'enrolment',
  method: 'POST',
  path: '/bulk-enrolments',
  auth: 'service',
  summary: 'enrol many people',
  description:
    'Accepts everything or, with an issue for each wrong row, nothing. The records are `created` and worked off by a job; `/people/v2/bulk-enrolments` tells how far it is.',
  body: z.object({
    enrolments: z
      .array(Enrolment)
      .min(1, 'At least one enrolment is required')
      .max(MAX_BULK, `At most ${MAX_BULK} people`),
  }),
  replies: { 202: z.object({ enrolments: z.array(EnrolmentAnswer), total: z.int() }) },
});

export const changeEnrolments = endpoint({
  name: 'changeEnrolments',
  service: 'enrolment',
  method: 'PUT',
  path: '/enrolments/{email}',
  auth: 'service',
  summary: 'change a person’s enrolments',
  description:
    'Sets the places named: metadata, cohorts and end are replaced, also an earlier end; a new one in the future brings back what had ended. Places not named stay: withdrawing has its own call. An address nobody knows is 404.',
  params: z.object({ email: Email }),
  body: z.object({
    email: Email.optional().describe('As in the path, or left out'),
    userDefaults: UserDefaults.default({}),
    cohortIds: CohortIds,
    enrolments: enrolmentItems,
  }),
  replies: { 200: EnrolmentAnswer },
});

export const withdrawPerson = endpoint({
  name: 'withdrawPerson',
  service: 'enrolment',
  method: 'DELETE',
  path: '/enrolments/{email}',
  auth: 'service',
  summary: 'withdraw a person from a course',
  description:
    'Ends every place in the course, waiting or taken. What was completed and certified stays. 404 when there was none.',
  params: z.object({ email: Email }),
  query: z.object({ courseSlug: SlugParam }),
  replies: { 200: z.object({ deleted: z.boolean() }) },
});

export const referColleague = endpoint({
  name: 'referColleague',
  service: 'enrolment',
  method: 'POST',
  path: '/referrals',
  auth: 'user',
  summary: 'refer a colleague',
  description:
    'Mails an invitation in the referrer’s language, without their words or name. Twenty a day; the same one again answers the first and mails nothing. What is hidden from the referrer is 404; events are not kept here and are taken as they are. Oneself is 400.',
  body: Referral,
  replies: { 201: ReferralRecord },
  errors: ['request.not_found'],
});

export const referMany = endpoint({
  name: 'referMany',
  service: 'enrolment',
  method: 'POST',
  path: '/bulk-referrals',
  auth: 'service',
  summary: 'refer many people',
  description:
    'Accepts everything or, with an issue for each wrong row, nothing. Mails in the language of the request. The same referral again is not mailed again.',
  body: z.object({
    referrals: z
      .array(Referral)
      .min(1, 'At least one referral is required')
      .max(MAX_BULK, `At most ${MAX_BULK} people`),
  }),
  replies: { 202: z.object({ referrals: z.array(ReferralRecord), total: z.int() }) },
});
