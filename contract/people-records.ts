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
  slug: SlugParam.optional().describe('`metadata.courseSlug` when left out'),
  enrolments: z.array(z.strictObject(EnrolmentItem.shape)).length(1, 'Exactly one enrolment').optional(),
};

/** A record as it is created: the place is named by `type` and `slug`, or by the one item of `enrolments`. */
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
  summary: 'create a bulk-enrolment record',
  description:
    'One place for one address. It stays in the status given, `created` when left out, until it is moved on or the address is proven; `enrolled` gives the place to who has a proven account. 409 when the address has a record of that place. A course, community or cohort that does not exist is 400.',
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
  summary: 'read a record',
  params: byId,
  replies: { 200: BulkEnrolment },
});

export const listBulkEnrolments = endpoint({
  name: 'listBulkEnrolments',
  service: 'people',
  method: 'GET',
  path: '/v2/bulk-enrolments',
  auth: 'service',
  summary: 'list by email, status and type',
  description: 'Newest first. The status asked for is the one that holds now.',
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
  summary: 'update a record',
  description:
    'created → pending → enrolled → expired; a move back is 409, save that a new `metadata.expiresOn` in the future (or null: none) brings an expired record back to enrolled. Fields left out stay; `metadata` is replaced as a whole. Address, type and slug are what the record is about: another value is 400. The end of the place that was given follows.',
  params: byId,
  body: z.strictObject({ email: Email.optional(), ...recordFields }),
  replies: { 200: BulkEnrolment },
  errors: ['enrolment.backwards'],
});

// Memberships of communities.

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 10_000, 'At most 10000 characters')
  .describe('Kept as it is');

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
  summary: 'create a membership record',
  description:
    'Makes the person a member, or lets in who asked or was invited. Who is a member already stays what they are. An unknown person or community is 400.',
  body: z.strictObject({ userId: Uuid, communitySlug: SlugParam, ...membershipFields }),
  replies: { 201: UserCommunity },
});

export const readUserCommunity = endpoint({
  name: 'readUserCommunity',
  service: 'people',
  method: 'GET',
  path: '/v2/user-communities/{id}',
  auth: 'service',
  summary: 'read a membership record',
  params: byId,
  replies: { 200: UserCommunity },
});

export const listUserCommunities = endpoint({
  name: 'listUserCommunities',
  service: 'people',
  method: 'GET',
  path: '/v2/user-communities',
  auth: 'service',
  summary: 'list membership records',
  description: 'In the order the people came.',
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
  summary: 'update a membership record',
  description:
    'Replaces role, creator and contentfulMetadata; left out, they go back to their defaults. Person and community are what the record is about: another value is 400. The last owner stays one: 409.',
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
  summary: 'record a lesson completion',
  description:
    'The same as completing the lesson. `progressSnapshot` and `contentfulMetadata` are hints; the answer carries what was counted. A lesson completed before answers its first record.',
  body: z.strictObject(LessonRecord.shape),
  replies: { 201: LessonCompletion },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

export const listLessonCompletions = endpoint({
  name: 'listLessonCompletions',
  service: 'people',
  method: 'GET',
  path: '/v2/users/me/lessons',
  auth: 'user',
  summary: 'my lesson completions',
  description: 'Newest first.',
  replies: { 200: z.object({ lessons: z.array(LessonCompletion), total: Count }) },
});

// Products: the places of a person in journeys.

const Hint = z.unknown().describe('A hint: what is recorded comes from the catalogue');

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
  summary: 'give a user a product',
  description:
    'An administrator gives anybody a place in any journey, with an end when told; `isEnrolled: false` makes it wait. People take places that are open to them, as by enrolling, and may not say more than the language: `isEnrolled: false`, `expiresOn` and `stripeMetadata` are 403, as is every other person. Who has a place keeps it. `certificate`, `completedAt` and `contentfulMetadata` are hints.',
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
  summary: 'a user’s products',
  description: 'One’s own, or anybody’s for an administrator. Newest first; `expired` by the clock of the database.',
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
  summary: 'update a user’s product',
  description:
    'Course and journey name the place; 404 when there is none. Fields left out stay. People change the language of their own place; an administrator also its end: `isEnrolled: false` ends it now, a new `expiresOn` in the future (or null: none) brings it back, `isEnrolled: true` confirms one that waits. An ended place is not brought back without a new end: 409.',
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
  summary: 'a user’s referrals',
  description: 'Those the person made, newest first; one’s own, or anybody’s for an administrator.',
  params: z.object({ userId: UserRef }),
  replies: { 200: referralList },
});

export const updateUserReferrals = endpoint({
  name: 'updateUserReferrals',
  service: 'people',
  method: 'PUT',
  path: '/v2/users/{userId}/referrals',
  auth: 'user',
  summary: 'update a user’s referrals',
  description:
    'Replaces the list: those missing are removed, new ones are made as by referring, mail and daily limit included; those that stay keep their ids and are not mailed again. An administrator may do so for anybody.',
  params: z.object({ userId: UserRef }),
  body: z.strictObject({
    referrals: z.array(z.strictObject(Referral.shape)).max(MAX_BULK, `At most ${MAX_BULK} referrals`),
  }),
  replies: { 200: referralList },
});
