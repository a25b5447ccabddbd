import { z } from 'zod';
import { Badges, Location, Person } from './account.ts';
import { SignUp } from './auth.ts';
import {
  Email,
  lenientLimitParam,
  limitParam,
  LocaleCode,
  MAX_OFFSET,
  MAX_PAGE_SIZE,
  offsetParam,
  text,
  Timestamp,
  UserRef,
  Uuid,
} from './common.ts';
import { Activity, Badges as BadgesAnswer, FEED_PAGE_SIZE } from './community.ts';
import { endpoint } from './endpoint.ts';
import { UserCommunity } from './people-records.ts';

/** Errors of this service, with their status. */
export const peopleErrors = {
  'people.rule_exists': { status: 409, message: 'A rule with this type and value already exists.' },
  'people.own_rights': { status: 403, message: 'You cannot change your own role, approval or badges.' },
  'people.last_administrator': {
    status: 409,
    message: 'This is the last administrator. Make someone else an administrator first.',
  },
} as const;

const Updated = z.object({ updated: z.boolean() });
const Deleted = z.object({ deleted: z.boolean() });
const UserParams = z.object({ id: UserRef });

export const Role = z.enum(['inactive', 'non-public-servant', 'public-servant', 'administrator']);

// Auto-approval rules

export const AutoApprovalType = z
  .enum(['domain', 'email', 'partialDomain'])
  .describe(
    'email: this address · domain: addresses of exactly this domain · partialDomain: this domain and its subdomains',
  );

const AutoApprovalWrite = z.strictObject({
  value: text({ min: 1, max: 254, name: 'Value' }).describe(
    'Stored normalised: in lower case, domains in punycode and without a leading or trailing dot or @',
  ),
  type: AutoApprovalType,
});

export const AutoApproval = z
  .object({ id: Uuid, value: z.string(), type: AutoApprovalType, createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'AutoApproval' });

export const createAutoApproval = endpoint({
  name: 'createAutoApproval',
  service: 'people',
  method: 'POST',
  path: '/auto-approvals',
  auth: 'service',
  summary: 'Create an auto-approval rule',
  description:
    'A rule makes users public servants when they prove a matching address. An exact address takes precedence over a domain, a domain over a partial domain, and a longer partial domain over a shorter one. Accounts proven before are not changed.',
  body: AutoApprovalWrite,
  replies: { 201: AutoApproval },
  errors: ['people.rule_exists'],
});

export const readAutoApproval = endpoint({
  name: 'readAutoApproval',
  service: 'people',
  method: 'GET',
  path: '/auto-approvals/{id}',
  auth: 'service',
  summary: 'Read an auto-approval rule',
  params: z.object({ id: Uuid }),
  replies: { 200: AutoApproval },
  errors: ['request.not_found'],
});

export const listAutoApprovals = endpoint({
  name: 'listAutoApprovals',
  service: 'people',
  method: 'GET',
  path: '/auto-approvals',
  auth: 'service',
  summary: 'List auto-approval rules, oldest first',
  description: '`value` must match the whole normalised value.',
  query: z.object({
    value: text({ max: 254, name: 'Value' }).optional(),
    type: AutoApprovalType.optional(),
    limit: limitParam(100),
    offset: offsetParam(),
  }),
  replies: { 200: z.object({ autoApprovals: z.array(AutoApproval), total: z.int() }) },
});

export const updateAutoApproval = endpoint({
  name: 'updateAutoApproval',
  service: 'people',
  method: 'PUT',
  path: '/auto-approvals/{id}',
  auth: 'service',
  summary: 'Update an auto-approval rule',
  description: 'Accounts approved before stay approved.',
  params: z.object({ id: Uuid }),
  body: AutoApprovalWrite,
  replies: { 200: AutoApproval },
  errors: ['people.rule_exists', 'request.not_found'],
});

export const deleteAutoApproval = endpoint({
  name: 'deleteAutoApproval',
  service: 'people',
  method: 'DELETE',
  path: '/auto-approvals/{id}',
  auth: 'service',
  summary: 'Delete an auto-approval rule',
  description: 'Accounts approved by it stay approved.',
  params: z.object({ id: Uuid }),
  replies: { 200: Deleted },
  errors: ['request.not_found'],
});

// Registrations

export const RegistrationStatus = z
  .enum(['pending', 'approved', 'refused'])
  .describe(
    'approved: a public servant · pending: awaiting an administrator · refused: not approved, and not by any rule either',
  );

export const Registration = z
  .object({
    email: z.string(),
    status: RegistrationStatus,
    role: Role,
    organization: z.string().nullable(),
    jobTitle: z.string().nullable(),
    reason: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Registration' });

export const readRegistration = endpoint({
  name: 'readRegistration',
  service: 'people',
  method: 'GET',
  path: '/registrations',
  auth: 'service',
  summary: 'Read the registration of an e-mail address',
  description: '404 if no account has this address.',
  query: z.object({ email: Email }),
  replies: { 200: Registration },
  errors: ['request.not_found'],
});

export const readMyRegistration = endpoint({
  name: 'readMyRegistration',
  service: 'people',
  method: 'GET',
  path: '/registrations/mine',
  auth: 'user',
  extension: true,
  summary: 'Read my registration',
  replies: {
    200: z.object({
      status: RegistrationStatus.nullable().describe('null for an account that never signed up'),
      reason: z.string().nullable().describe('Reason of a refusal'),
    }),
  },
});

export const writeRegistration = endpoint({
  name: 'writeRegistration',
  service: 'people',
  method: 'PUT',
  path: '/registrations',
  auth: 'service',
  summary: 'Decide a registration',
  description:
    '`approved` makes the account a public servant; `pending` and `refused` make a public servant a non-public-servant. `role` sets another role; a service key can set every role but administrator and cannot change an administrator (403). Changing the role ends all sessions; a user who does it needs a recent sign-in. The last administrator stays one (409). An omitted reason is cleared; omitted organization and jobTitle stay.',
  body: z.strictObject({
    email: Email,
    status: RegistrationStatus,
    role: Role.optional(),
    organization: text({ max: 200, name: 'Organization' }).nullable().optional(),
    jobTitle: text({ max: 200, name: 'Job title' }).nullable().optional(),
    reason: text({ max: 1000, name: 'Reason' })
      .nullable()
      .optional()
      .describe('The person sees it when the registration is refused'),
  }),
  replies: { 200: Registration },
  errors: [
    'auth.forbidden',
    'auth.recent_sign_in_required',
    'people.last_administrator',
    'people.own_rights',
    'request.not_found',
  ],
});

// User records

const OWN_RECORD = 'Visible to the user, administrators and services';

export const UserRecord = z
  .object({
    id: Uuid,
    name: z.string(),
    thumbnail: z.string().nullable(),
    jobTitle: z.string().nullable(),
    organization: z.string().nullable(),
    location: z.object({ id: z.string(), en: z.string(), code: z.string() }).nullable(),
    badges: BadgesAnswer,
    visibility: z.enum(['default', 'public', 'private']),
    email: z.string().optional().describe(OWN_RECORD),
    isProven: z.boolean().optional().describe(OWN_RECORD),
    role: Role.optional().describe(OWN_RECORD),
    locale: LocaleCode.optional().describe(OWN_RECORD),
    bioLink: z.string().nullable().optional().describe(OWN_RECORD),
    memberType: z.string().nullable().optional().describe(OWN_RECORD),
    optIn: z.boolean().optional().describe(OWN_RECORD),
    freeCourse: z.union([z.boolean(), z.string()]).optional().describe(OWN_RECORD),
    courseInterest: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe(OWN_RECORD),
    signupRedirectUrl: z.string().optional().describe(OWN_RECORD),
    clientId: z.string().optional().describe(OWN_RECORD),
    page: z.string().optional().describe(OWN_RECORD),
    ref: z.string().optional().describe(OWN_RECORD),
    courseSlug: z.string().optional().describe(OWN_RECORD),
    journeySlug: z.string().optional().describe(OWN_RECORD),
    createdAt: Timestamp.nullable().describe('null in the name-only record of a private profile'),
    updatedAt: Timestamp.optional().describe(OWN_RECORD),
  })
  .meta({ id: 'UserRecord' });

export const createUserRecord = endpoint({
  name: 'createUserRecord',
  service: 'people',
  method: 'POST',
  path: '/v2/users',
  auth: 'service',
  summary: 'Create a user',
  description:
    'The address counts as proven and no mail is sent. Without `role`, an auto-approval rule decides; otherwise the account is a non-public-servant. A service key can set every role but administrator (403); an administrator can set that one after a recent sign-in.',
  body: SignUp.extend({ role: Role.optional() }),
  replies: { 201: UserRecord },
  errors: ['auth.email_taken', 'auth.recent_sign_in_required'],
});

export const listUserRecords = endpoint({
  name: 'listUserRecords',
  service: 'people',
  method: 'GET',
  path: '/v2/users',
  auth: 'service',
  summary: 'List users, oldest first',
  description: 'All accounts, or the one with the given e-mail address.',
  query: z.object({ email: Email.optional(), limit: limitParam(100), offset: offsetParam() }),
  replies: { 200: z.object({ users: z.array(UserRecord), total: z.int() }) },
});

export const readUserRecord = endpoint({
  name: 'readUserRecord',
  service: 'people',
  method: 'GET',
  path: '/v2/users/{id}',
  auth: 'user',
  summary: 'Read a user',
  description:
    'The user, and administrators, get the whole record. Others get what the profile shows them: for a private one the name only. Others never get the e-mail address.',
  params: UserParams,
  replies: { 200: UserRecord },
  errors: ['request.not_found'],
});

export const updateUserRecord = endpoint({
  name: 'updateUserRecord',
  service: 'people',
  method: 'PUT',
  path: '/v2/users/{id}',
  auth: 'user',
  summary: 'Update a user',
  description:
    "Your own record; any record for an administrator; any but an administrator's for a service key. Omitted fields are cleared, except `role`. Administrators can set `role` for others after a recent sign-in; service keys can set every role but administrator (403). Changing the role ends all sessions. The last administrator stays one (409). `email` may repeat the address; another value is 403: use PUT /api/auth/users/me/email.",
  params: UserParams,
  body: SignUp.extend({ email: Email.optional(), role: Role.optional() }),
  replies: { 200: UserRecord },
  errors: [
    'auth.forbidden',
    'auth.recent_sign_in_required',
    'people.last_administrator',
    'people.own_rights',
    'request.not_found',
  ],
});

// Users

const NotAccepted = z.unknown().optional().describe('Not accepted (403)');

export const updateUser = endpoint({
  name: 'updateUser',
  service: 'people',
  method: 'PUT',
  path: '/users/{id}',
  auth: 'user',
  summary: 'Update name, image, location and badges',
  description:
    'Your own, or any for an administrator. Omitted fields are cleared, except badges, which only administrators can set, and not their own. `email`, `role`, `approved`, `permissions` and `visibility` are always 403.',
  params: UserParams,
  body: z.strictObject({
    name: text({ min: 1, max: 100, name: 'Name' }),
    thumbnail: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .describe('The address returned by a profile image upload, or an https address of an image elsewhere'),
    organization: text({ max: 200, name: 'Organization' }).nullable().optional(),
    jobTitle: text({ max: 200, name: 'Job title' }).nullable().optional(),
    location: Location.nullable().optional(),
    badges: Badges.optional(),
    email: NotAccepted,
    role: NotAccepted,
    approved: NotAccepted,
    permissions: NotAccepted,
    visibility: NotAccepted,
  }),
  replies: { 200: Updated },
  errors: ['auth.forbidden', 'people.own_rights', 'request.not_found'],
});

export const eraseUser = endpoint({
  name: 'eraseUser',
  service: 'people',
  method: 'DELETE',
  path: '/users/{id}',
  auth: 'user',
  summary: 'Erase a user',
  description:
    'Your own account, also when inactive; any for an administrator. Like DELETE /api/auth/users/{email}: needs a recent sign-in, is 403 in a narrowed session and 409 for the last administrator. Posts and replies to others stay under the name Deleted user.',
  params: UserParams,
  replies: { 200: Deleted },
  errors: [
    'auth.forbidden',
    'auth.not_proven',
    'auth.recent_sign_in_required',
    'people.last_administrator',
    'request.not_found',
  ],
});

export const searchUsers = endpoint({
  name: 'searchUsers',
  service: 'people',
  method: 'POST',
  path: '/users',
  auth: 'user',
  summary: 'Search people',
  description:
    'Matches a part of the name, job title or organization, ignoring case and accents. Finds public profiles; administrators find all. Names that begin with the match come first.',
  body: z.strictObject({
    match: text({ max: 256, name: 'match' }).default(''),
    limit: z.int().positive('Must be a positive number').max(MAX_PAGE_SIZE).default(25),
    offset: z
      .int()
      .min(0)
      .max(MAX_OFFSET, `Must be at most ${MAX_OFFSET}; filter the list to see what lies beyond`)
      .default(0),
  }),
  replies: { 200: z.object({ users: z.array(Person), total: z.int() }) },
});

export const setBadges = endpoint({
  name: 'setBadges',
  service: 'people',
  method: 'PUT',
  path: '/users/{id}/badges',
  auth: 'service',
  summary: "Set a user's badges",
  description: 'Replaces all badges. Administrators cannot set their own.',
  params: z.object({ id: UserRef }),
  body: z.strictObject({ badges: Badges }),
  replies: { 200: Updated },
  errors: ['people.own_rights', 'request.not_found'],
});

// Memberships and posts

const UserCommunities = z.object({
  communities: z.array(z.object({ slug: z.string(), title: z.string(), role: z.enum(['owner', 'member']) })),
  total: z.int(),
});

export const listCommunitiesOfUser = endpoint({
  name: 'listCommunitiesOfUser',
  service: 'people',
  method: 'GET',
  path: '/users/{id}/communities',
  auth: 'user',
  summary: "List a user's communities, localised",
  description:
    'Titles are in the requested locale or the nearest fallback. For other users, lists only communities whose members the caller may see; for a private profile, none.',
  params: UserParams,
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: UserCommunities },
  errors: ['request.not_found'],
});

export const listMembershipsOfUser = endpoint({
  name: 'listMembershipsOfUser',
  service: 'people',
  method: 'GET',
  path: '/v2/users/{userId}/communities',
  auth: 'user',
  summary: "List a user's membership records",
  description:
    'In the order the user joined. Users get all of their own, administrators all of anyone. Others get the memberships that the profile shows them, without `contentfulMetadata`.',
  params: z.object({ userId: UserRef }),
  replies: { 200: z.object({ userCommunities: z.array(UserCommunity), total: z.int() }) },
  errors: ['request.not_found'],
});

const FeedQuery = z.object({
  locale: LocaleCode.optional(),
  limit: lenientLimitParam(FEED_PAGE_SIZE),
  offset: offsetParam(),
});
const Feed = z.object({ results: z.array(Activity), total: z.int(), nextOffset: z.int().nullable() });

export const listProfileActivities = endpoint({
  name: 'listProfileActivities',
  service: 'people',
  method: 'GET',
  path: '/profiles/{id}/activities',
  auth: 'user',
  summary: "List a user's posts as others see them, newest first",
  description:
    'Contains posts and polls of communities whose content the caller may read, and polls outside communities. Posts of an unlisted community are shown only to its members. A private profile shows none. Pages are cut like those of a community feed.',
  params: UserParams,
  query: FeedQuery,
  replies: { 200: Feed },
  errors: ['request.not_found'],
});

export const listMyActivities = endpoint({
  name: 'listMyActivities',
  service: 'people',
  method: 'GET',
  path: '/users/{id}/activities',
  auth: 'user',
  summary: 'List my posts, newest first',
  description:
    'Posts in communities I can no longer read are omitted. Pages are cut like those of a community feed. `id` must be `me`.',
  params: z.object({ id: z.literal('me', { error: "Must be 'me'" }) }),
  query: FeedQuery,
  replies: { 200: Feed },
});
