import { z } from 'zod';
import {
  booleanParam,
  Email,
  limitParam,
  LocaleCode,
  Moment,
  offsetParam,
  SlugParam,
  text,
  Timestamp,
  UserRef,
  Uuid,
} from './common.ts';
import {
  BulkEnrolment,
  CohortIds,
  EnrolmentItem,
  EnrolmentMetadata,
  EnrolmentType,
  MAX_BULK,
  Referral,
  ReferralRecord,
  UserDefaults,
} from './enrolment.ts';
import { endpoint } from './endpoint.ts';
import { CourseRecord, EnrolmentStatus, LessonCompletion, LessonRecord } from './learner.ts';

const Count = z.int().min(0);
const byId = z.object({ id: Uuid });
const paging = { limit: limitParam(100), offset: offsetParam() };

// Bulk-enrolment records.

const recordFields = {
  status: EnrolmentStatus.optional(),
  metadata: z.strictObject(EnrolmentMetadata.shape).optional(),
  userDefaults: UserDefaults.optional(),
  cohortIds: CohortIds.optional(),
  type: EnrolmentType.optional(),
  slug: SlugParam.optional().describe('Defaults to `metadata.courseSlug`'),
  enrolments: z.array(z.strictObject(EnrolmentItem.shape)).length(1, 'Exactly one enrolment').optional(),
};

/** A new record: the enrolment is named by `type` and `slug`, or by the only item of `enrolments`. */
export const NewBulkEnrolment = z
  .strictObject({ email: Email, ...recordFields })
  .superRefine(({ type, slug, metadata, enrolments }, context) => {
    if (enrolments) return;
    if (type === undefined) context.addIssue({ code: 'custom', path: ['type'], message: 'type is required' });
    if (slug === undefined && !metadata?.courseSlug)
      context.addIssue({ code: 'custom', path: ['slug'], message: 'slug is required' });
  });

export const createBulkEnrolment = endpoint({
  name: 'createBulkEnrolment',
  service: 'people',
  method: 'POST',
  path: '/v2/bulk-enrolments',
  auth: 'service',
  summary: 'Create a bulk-enrolment record',
  description:
    'One enrolment for one address. It keeps the given status (default `created`) until it is updated or the address is proven; `enrolled` enrols an account with a proven address at once. 409 if the address already has this enrolment. An unknown course, community or cohort is 400.',
  body: NewBulkEnrolment,
  replies: { 201: BulkEnrolment },
  errors: ['request.conflict'],
});

export const readBulkEnrolment = endpoint({
  name: 'readBulkEnrolment',
  service: 'people',
  method: 'GET',
  path: '/v2/bulk-enrolments/{id}',
  auth: 'service',
  summary: 'Read a bulk-enrolment record',
  params: byId,
  replies: { 200: BulkEnrolment },
});

export const listBulkEnrolments = endpoint({
  name: 'listBulkEnrolments',
  service: 'people',
  method: 'GET',
  path: '/v2/bulk-enrolments',
  auth: 'service',
  summary: 'List bulk-enrolment records, newest first',
  description: 'Filters by e-mail, status and type. `status` matches the current status.',
  query: z.object({
    email: Email.optional(),
    status: EnrolmentStatus.optional(),
    type: EnrolmentType.optional(),
    ...paging,
  }),
  replies: { 200: z.object({ bulkEnrolments: z.array(BulkEnrolment), total: Count }) },
});

export const updateBulkEnrolment = endpoint({
  name: 'updateBulkEnrolment',
  service: 'people',
  method: 'PUT',
  path: '/v2/bulk-enrolments/{id}',
  auth: 'service',
  summary: 'Update a bulk-enrolment record',
  description:
    'created → pending → enrolled → expired; moving back is 409, except that a new `metadata.expiresOn` in the future (or null: no end) reactivates an expired record. Omitted fields stay; `metadata` is replaced as a whole. Address, type and slug cannot be changed (400). The end date of the enrolment follows.',
  params: byId,
  body: z.strictObject({ email: Email.optional(), ...recordFields }),
  replies: { 200: BulkEnrolment },
  errors: ['enrolment.backwards'],
});

// Community memberships.

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 10_000, 'At most 10000 characters')
  .describe('Stored unchanged');

export const UserCommunity = z.object({
  id: Uuid,
  userId: Uuid,
  communitySlug: z.string(),
  creator: z.boolean(),
  role: z.enum(['owner', 'member']),
  status: z.enum(['active', 'pending', 'invited']),
  contentfulMetadata: z.record(z.string(), z.unknown()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const membershipFields = {
  creator: z.boolean().default(false),
  role: z.enum(['owner', 'member']).default('member'),
  contentfulMetadata: Metadata.default({}),
};

export const createUserCommunity = endpoint({
  name: 'createUserCommunity',
  service: 'people',
  method: 'POST',
  path: '/v2/user-communities',
  auth: 'service',
  summary: 'Create a membership record',
  description:
    'Makes the user a member, or admits one who asked to join or was invited. An existing member is not changed. An unknown user or community is 400.',
  body: z.strictObject({ userId: Uuid, communitySlug: SlugParam, ...membershipFields }),
  replies: { 201: UserCommunity },
});

export const readUserCommunity = endpoint({
  name: 'readUserCommunity',
  service: 'people',
  method: 'GET',
  path: '/v2/user-communities/{id}',
  auth: 'service',
  summary: 'Read a membership record',
  params: byId,
  replies: { 200: UserCommunity },
});

export const listUserCommunities = endpoint({
  name: 'listUserCommunities',
  service: 'people',
  method: 'GET',
  path: '/v2/user-communities',
  auth: 'service',
  summary: 'List membership records',
  description: 'In the order the users joined.',
  query: z.object({
    userId: Uuid.optional(),
    communitySlug: SlugParam.optional(),
    role: z.enum(['owner', 'member']).optional(),
    ...paging,
  }),
  replies: { 200: z.object({ userCommunities: z.array(UserCommunity), total: Count }) },
});

export const updateUserCommunity = endpoint({
  name: 'updateUserCommunity',
  service: 'people',
  method: 'PUT',
  path: '/v2/user-communities/{id}',
  auth: 'service',
  summary: 'Update a membership record',
  description:
    'Replaces role, creator and contentfulMetadata; omitted fields return to their defaults. User and community cannot be changed (400). The last owner stays one (409).',
  params: byId,
  body: z.strictObject({ userId: Uuid.optional(), communitySlug: SlugParam.optional(), ...membershipFields }),
  replies: { 200: UserCommunity },
  errors: ['community.last_owner'],
});

// Lessons.

export const recordLessonCompletion = endpoint({
  name: 'recordLessonCompletion',
  service: 'people',
  method: 'POST',
  path: '/v2/users/me/lessons',
  auth: 'user',
  summary: 'Record a lesson completion',
  description:
    'Equivalent to completing the lesson. `progressSnapshot` and `contentfulMetadata` are ignored; the reply contains the computed values. For a lesson completed before, the first record is returned.',
  body: z.strictObject(LessonRecord.shape),
  replies: { 201: LessonCompletion },
  errors: [
    'learner.not_passed',
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
    'request.not_found',
  ],
});

export const listLessonCompletions = endpoint({
  name: 'listLessonCompletions',
  service: 'people',
  method: 'GET',
  path: '/v2/users/me/lessons',
  auth: 'user',
  summary: 'List my lesson completions, newest first',
  replies: { 200: z.object({ lessons: z.array(LessonCompletion), total: Count }) },
});

// Products: enrolments of a user in journeys.

const Hint = z.unknown().describe('Ignored: the recorded values come from the catalogue');

const productFields = {
  locale: LocaleCode.optional(),
  isEnrolled: z.boolean().optional(),
  expiresOn: Moment.nullable().optional(),
  stripeMetadata: z
    .strictObject({
      bulkEnrolment: z.boolean().default(false),
      cohortIds: z
        .array(Uuid)
        .max(50)
        .refine((ids) => new Set(ids).size === ids.length, 'All cohort IDs must be unique')
        .default([]),
    })
    .nullish(),
  certificate: Hint.optional(),
  completedAt: Hint.optional(),
  contentfulMetadata: Hint.optional(),
};

export const UserProduct = z.strictObject({ courseSlug: SlugParam, journeySlug: SlugParam, ...productFields });

export const giveUserProduct = endpoint({
  name: 'giveUserProduct',
  service: 'people',
  method: 'POST',
  path: '/v2/users/{id}/products',
  auth: 'user',
  summary: 'Enrol a user in a journey',
  description:
    'Administrators can enrol anyone in any journey, optionally with an end; `isEnrolled: false` leaves the enrolment pending. Other users can enrol themselves in journeys open to them and set only the language: `isEnrolled: false`, `expiresOn`, `stripeMetadata` and other users are 403. An existing enrolment is kept. `certificate`, `completedAt` and `contentfulMetadata` are ignored.',
  params: z.object({ id: UserRef }),
  body: UserProduct,
  replies: { 201: CourseRecord },
  errors: ['learner.cannot_enrol', 'learner.enrolment_expired', 'learner.enrolment_pending'],
});

export const listUserProducts = endpoint({
  name: 'listUserProducts',
  service: 'people',
  method: 'GET',
  path: '/v2/users/{id}/products',
  auth: 'user',
  summary: "List a user's enrolments, newest first",
  description: "Your own, or anyone's for an administrator. `expired` is determined by the database clock.",
  params: z.object({ id: UserRef }),
  query: z.object({
    courseId: text({ min: 1, max: 64 }).optional(),
    journeyId: text({ min: 1, max: 128 }).optional(),
    courseSlug: SlugParam.optional(),
    journeySlug: SlugParam.optional(),
    expired: booleanParam.optional(),
  }),
  replies: { 200: z.object({ products: z.array(CourseRecord), total: Count }) },
});

export const updateUserProduct = endpoint({
  name: 'updateUserProduct',
  service: 'people',
  method: 'PUT',
  path: '/v2/users/{id}/products',
  auth: 'user',
  summary: "Update a user's enrolment",
  description:
    'Course and journey identify the enrolment; 404 when there is none. Omitted fields stay. Users can change the language of their own enrolment. Administrators can also change its end: `isEnrolled: false` ends it now, a new `expiresOn` in the future (or null: no end) reactivates it, `isEnrolled: true` confirms a pending one. Reactivating an ended enrolment without a new end is 409.',
  params: z.object({ id: UserRef }),
  body: UserProduct,
  replies: { 200: CourseRecord },
  errors: ['request.conflict'],
});

// Referrals.

const referralList = z.object({ referrals: z.array(ReferralRecord), total: Count });

export const listUserReferrals = endpoint({
  name: 'listUserReferrals',
  service: 'people',
  method: 'GET',
  path: '/v2/users/{userId}/referrals',
  auth: 'user',
  summary: "List a user's referrals, newest first",
  description: "Referrals made by the user: your own, or anyone's for an administrator.",
  params: z.object({ userId: UserRef }),
  replies: { 200: referralList },
});

export const updateUserReferrals = endpoint({
  name: 'updateUserReferrals',
  service: 'people',
  method: 'PUT',
  path: '/v2/users/{userId}/referrals',
  auth: 'user',
  summary: "Replace a user's referrals",
  description:
    'Missing referrals are removed. New ones are created as by referring, including the mail and the daily limit. Existing ones keep their ids and are not mailed again. Administrators can do this for anyone.',
  params: z.object({ userId: UserRef }),
  body: z.strictObject({
    referrals: z.array(z.strictObject(Referral.shape)).max(MAX_BULK, `At most ${MAX_BULK} referrals`),
  }),
  replies: { 200: referralList },
});
