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

/** Reasons this service refuses a request, with their status. */
export const peopleErrors = {
  'people.rule_exists': { status: 409, message: 'There is a rule of this type and value already.' },
  'people.own_rights': { status: 403, message: 'Nobody changes their own role, approval or badges.' },
  'people.last_administrator': {
    status: 409,
    message: 'This is the last administrator. Make somebody else an administrator first.',
  },
} as const;

const Updated = z.object({ updated: z.boolean() });
const Deleted = z.object({ deleted: z.boolean() });
const UserParams = z.object({ id: UserRef });

export const Role = z.enum(['inactive', 'non-public-servant', 'public-servant', 'administrator']);

// Rules that make people public servants

export const AutoApprovalType = z
  .enum(['domain', 'email', 'partialDomain'])
  .describe('email: that address · domain: addresses of exactly that domain · partialDomain: of it and those below it');

const AutoApprovalWrite = z.strictObject({
  value: text({ min: 1, max: 254, name: 'Value' }).describe(
    'Kept as addresses are compared: in lower case, a domain in punycode and without a dot or an @ around it',
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
  summary: 'create a rule',
  description:
    'A rule makes people public servants when they prove an address it matches: the exact address goes before the domain, the domain before a partial one, a longer partial one before a shorter. Accounts proven before stay as they are.',
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
  summary: 'read a rule',
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
  summary: 'list rules by value and type',
  description: 'Oldest first. `value` is compared whole, in the form it is kept in.',
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
  summary: 'update a rule',
  description: 'Whom it approved before stays approved.',
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
  summary: 'delete a rule',
  description: 'Whom it approved stays approved.',
  params: z.object({ id: Uuid }),
  replies: { 200: Deleted },
  errors: ['request.not_found'],
});

// Registrations

export const RegistrationStatus = z
  .enum(['pending', 'approved', 'refused'])
  .describe('approved: a public servant · pending: waits for an administrator · refused: no rule approves them either');

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
  summary: 'read registrations by e-mail',
  description: 'The sign-up record of one address; 404 when it has no account.',
  query: z.object({ email: Email }),
  replies: { 200: Registration },
  errors: ['request.not_found'],
});

export const writeRegistration = endpoint({
  name: 'writeRegistration',
  service: 'people',
  method: 'PUT',
  path: '/registrations',
  auth: 'service',
  summary: 'write a registration',
  description:
    'approved makes the account a public servant; pending and refused make a public servant a non-public-servant. Another role may be given with `role`; a service key gives every role but administrator, and changes nothing of an administrator (403). A changed role ends the sessions, and of a person needs a recent sign-in. The last administrator stays one (409). A reason left out is cleared; organization and jobTitle left out stay, because they are the person’s own.',
  body: z.strictObject({
    email: Email,
    status: RegistrationStatus,
    role: Role.optional(),
    organization: text({ max: 200, name: 'Organization' }).nullable().optional(),
    jobTitle: text({ max: 200, name: 'Job title' }).nullable().optional(),
    reason: text({ max: 1000, name: 'Reason' }).nullable().optional(),
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

// Records of users

const forOwnEyes = 'One’s own, and for administrators and services';

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
    email: z.string().optional().describe(forOwnEyes),
    isProven: z.boolean().optional().describe(forOwnEyes),
    role: Role.optional().describe(forOwnEyes),
    locale: LocaleCode.optional().describe(forOwnEyes),
    bioLink: z.string().nullable().optional().describe(forOwnEyes),
    memberType: z.string().nullable().optional().describe(forOwnEyes),
    optIn: z.boolean().optional().describe(forOwnEyes),
    freeCourse: z.union([z.boolean(), z.string()]).optional().describe(forOwnEyes),
    courseInterest: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe(forOwnEyes),
    signupRedirectUrl: z.string().optional().describe(forOwnEyes),
    clientId: z.string().optional().describe(forOwnEyes),
    page: z.string().optional().describe(forOwnEyes),
    ref: z.string().optional().describe(forOwnEyes),
    courseSlug: z.string().optional().describe(forOwnEyes),
    journeySlug: z.string().optional().describe(forOwnEyes),
    createdAt: Timestamp.nullable().describe('null in the name-only record of a private profile'),
    updatedAt: Timestamp.optional().describe(forOwnEyes),
  })
  .meta({ id: 'UserRecord' });

export const createUserRecord = endpoint({
  name: 'createUserRecord',
  service: 'people',
  method: 'POST',
  path: '/v2/users',
  auth: 'service',
  summary: 'create a user',
  description:
    'The address counts as proven and no mail is sent. Without `role` an auto-approval rule decides, else the account is a non-public-servant. A service key gives every role but administrator (403); an administrator gives that one after a recent sign-in.',
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
  summary: 'list users by e-mail',
  description: 'All accounts, oldest first, or the one of an address.',
  query: z.object({ email: Email.optional(), limit: limitParam(100), offset: offsetParam() }),
  replies: { 200: z.object({ users: z.array(UserRecord), total: z.int() }) },
});

export const readUserRecord = endpoint({
  name: 'readUserRecord',
  service: 'people',
  method: 'GET',
  path: '/v2/users/{id}',
  auth: 'user',
  summary: 'read a user',
  description:
    'The whole record for its owner and for administrators; others read what the profile shows them: of a private one the name only, and never the address.',
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
  summary: 'update a user',
  description:
    'One’s own; any for an administrator; for a service key any but an administrator’s. What is left out is cleared, apart from `role`. `role` is for administrators, never on themselves and only after a recent sign-in, and for service keys, which give every role but administrator (403); it ends the sessions. The last administrator stays one (409). `email` may repeat the address; another one is 403: it is changed with PUT /api/auth/users/me/email.',
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

const NotHere = z.unknown().optional().describe('403: not changed here');

export const updateUser = endpoint({
  name: 'updateUser',
  service: 'people',
  method: 'PUT',
  path: '/users/{id}',
  auth: 'user',
  summary: 'update name, picture, place and badges',
  description:
    'One’s own, or any for an administrator. What is left out is cleared, apart from badges, which only administrators set, and never their own. Any of email, role, approved, permissions and visibility is 403 from anybody.',
  params: UserParams,
  body: z.strictObject({
    name: text({ min: 1, max: 100, name: 'Name' }),
    thumbnail: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .describe('The address an upload of a profile image answered, or of a picture kept elsewhere over https'),
    organization: text({ max: 200, name: 'Organization' }).nullable().optional(),
    jobTitle: text({ max: 200, name: 'Job title' }).nullable().optional(),
    location: Location.nullable().optional(),
    badges: Badges.optional(),
    email: NotHere,
    role: NotHere,
    approved: NotHere,
    permissions: NotHere,
    visibility: NotHere,
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
  summary: 'erase a user',
  description:
    'One’s own account, also when it is inactive; any for an administrator. As DELETE /api/auth/users/{email}: it needs a recent sign-in, is 403 in a narrowed session and 409 for the last administrator, and what was said to others stays under the name Deleted user.',
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
  summary: 'search people',
  description:
    'By a part of the name, job title or organization, in either case and with or without accents. Finds public profiles; administrators find all. Names that begin with what was asked come first.',
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
  summary: 'set badges',
  description: 'Replaces them all. Administrators may not set their own.',
  params: z.object({ id: UserRef }),
  body: z.strictObject({ badges: Badges }),
  replies: { 200: Updated },
  errors: ['people.own_rights', 'request.not_found'],
});

// What people belong to and say

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
  summary: "a user's communities, localised",
  description:
    'Titles are in the locale asked for or the nearest there is. Of others only those whose members the reader may see; of a private profile none.',
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
  summary: 'communities of a user',
  description:
    'The membership records of a person, in the order they joined: all of one’s own, and for administrators. Others read the memberships the profile shows them, without `contentfulMetadata`.',
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
  summary: "a person's posts as others see them",
  description:
    'Newest first, posts and polls of communities whose content the reader may read, and polls outside communities. Of an unlisted community only to those who belong to it. A private profile shows none. Pages are cut as those of a community’s feed are.',
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
  summary: 'my posts',
  description:
    'Newest first; those in communities whose content one may no longer read are left out. Pages are cut as those of a community’s feed are. `id` is me.',
  params: z.object({ id: z.literal('me', { error: "Must be 'me'" }) }),
  query: FeedQuery,
  replies: { 200: Feed },
});
