import { z } from 'zod';
import { Email, LocaleCode, Moment, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { EnrolmentStatus } from './learner.ts';

/** Errors of this service, with their status. */
export const enrolmentErrors = {
  'enrolment.backwards': { status: 409, message: 'An enrolment cannot return to an earlier status.' },
} as const;

export const ENROLMENT_TYPES = ['courses', 'communities'] as const;
export const EnrolmentType = z.enum(ENROLMENT_TYPES);
export const REFERRAL_TYPES = ['events', 'microcourses', 'communities', 'courses'] as const;
export const ReferralType = z.enum(REFERRAL_TYPES);

/** Maximum number of people in one bulk request. */
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
    'Defaults for empty fields of the account once its address is proven: `jobTitle`, `organization`. `locale` is the language of the invitation',
  );

const Label = text({ min: 1, max: 256 }).nullish();

export const EnrolmentMetadata = z.object({
  locale: LocaleCode.nullish(),
  expiresOn: Moment.nullish().describe('End of the enrolment; omitted: never'),
  journeyId: Label,
  journeySlug: SlugParam.nullish().describe('One journey of the course; omitted: every journey'),
  courseId: Label,
  courseSlug: SlugParam.nullish(),
  freeCourse: z.boolean().nullish(),
  courseType: Label,
});

export const EnrolmentItem = z.object({
  type: EnrolmentType,
  slug: SlugParam.describe('Slug of the course or community'),
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

/** One enrolment of an e-mail address, waiting or active. */
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
    .describe('This enrolment, in the form of the request'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** All enrolments requested for one address. */
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
  slug: SlugParam.describe('Slug of the recommended content'),
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
  summary: 'Enrol one person',
  description:
    'An account with this proven address is enrolled at once. For any other address the enrolments are stored as `pending` and an invitation is mailed; proving the address activates them. An unknown course, community, journey or cohort is 400 and nothing changes. An ended enrolment is resumed; an active one keeps the later end date. A community membership that came with an enrolment ends with it. Enrolments of an inactive account wait, without a mail, until it is active again.',
  body: Enrolment,
  replies: { 201: EnrolmentAnswer },
});

export const enrolMany = endpoint({
  name: 'enrolMany',
  service: 'enrolment',
  method: 'POST',
  path: '/bulk-enrolments',
  auth: 'service',
  summary: 'Enrol many people',
  description:
    'Accepts all rows or, with one issue per wrong row, none. Records are `created` and processed by a job; `/people/v2/bulk-enrolments` returns the progress.',
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
  summary: "Change a person's enrolments",
  description:
    'Replaces metadata, cohorts and end date of the named enrolments; the end date may also move earlier, and a new one in the future reactivates an expired enrolment. Enrolments not named stay; use the withdraw operation to end one. An unknown address is 404.',
  params: z.object({ email: Email }),
  body: z.object({
    email: Email.optional().describe('Must equal the path, if given'),
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
  summary: 'Withdraw a person from a course',
  description:
    'Ends every waiting or active enrolment in the course. Completions and certificates stay. 404 if there was none.',
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
  summary: 'Refer a colleague',
  description:
    "Mails an invitation in the referrer's language, without their name or any words of theirs. At most twenty a day; repeating a referral returns the first one and sends no mail. Content hidden from the referrer is 404; events are not stored here and are accepted unchecked. Referring yourself is 400.",
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
  summary: 'Refer many people',
  description:
    'Accepts all rows or, with one issue per wrong row, none. Mails are in the language of the request. A repeated referral is not mailed again.',
  body: z.object({
    referrals: z
      .array(Referral)
      .min(1, 'At least one referral is required')
      .max(MAX_BULK, `At most ${MAX_BULK} people`),
  }),
  replies: { 202: z.object({ referrals: z.array(ReferralRecord), total: z.int() }) },
});
