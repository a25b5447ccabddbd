import { z } from 'zod';
import { booleanParam, Day, Email, EntryId, limitParam, offsetParam, Slug, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { CAPABILITIES } from './capabilities.ts';

/** Errors of this service, with their status. */
export const adminErrors = {
  'admin.inactive_account': { status: 409, message: 'The account with this address is inactive.' },
  'admin.cohort_archived': { status: 409, message: 'The cohort is archived. Reopen it first.' },
  'admin.cohort_ended': { status: 409, message: 'The cohort has ended. Change its last day first.' },
} as const;

// ---------------------------------------------------------------------------------------------------------- cohorts

/** The fifth type is `<PROVIDER>_STAFF`, after the setting PROVIDER_NAME. */
export const COHORT_TYPES = ['EXTERNAL_STAFF', 'INTERNAL_TEST', 'LEARNERS', 'OTHER'] as const;
const CohortType = z
  .string()
  .max(64)
  .describe(`One of ${COHORT_TYPES.join(', ')}, or the staff type named after the provider (OFFICIUM_STAFF)`);
export const COHORT_SORTS = ['name', 'createdAt', '-name', '-createdAt'] as const;

const name = text({ min: 1, max: 256, name: 'Name' });
const primaryPartner = text({ min: 1, max: 256, name: 'Primary partner' });
const detail = (label: string, max = 256) => text({ max, name: label }).nullable().optional();
const details = {
  notes: detail('Notes', 10_000),
  bookingCode: detail('Booking code'),
  countryCode: detail('Country code'),
  funder: detail('Funder'),
  supportContact: detail('Support contact'),
  secondaryPartner: detail('Secondary partner'),
  beginsOn: Day.nullable().optional(),
  endsOn: Day.nullable()
    .optional()
    .describe(
      'The last day, in UTC; not before `beginsOn`. Afterwards adding people, uploading addresses and resending invitations is 409, and open invitations wait. Members keep their access',
    ),
};

const Count = z.int().min(0);
export const Cohort = z
  .object({
    id: Uuid,
    name: z.string(),
    type: CohortType,
    primaryPartner: z.string(),
    notes: z.string().nullable(),
    bookingCode: z.string().nullable(),
    countryCode: z.string().nullable(),
    funder: z.string().nullable(),
    supportContact: z.string().nullable(),
    secondaryPartner: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    beginsOn: z.iso.date().optional().describe('The first day, if one is set'),
    endsOn: z.iso.date().optional().describe('The last day, in UTC, if one is set'),
    isOver: z.literal(true).optional().describe('Only after the last day'),
    archivedAt: Timestamp.optional().describe('Only for archived cohorts'),
    total: z.object({ members: Count, invitations: Count }),
    capabilities: z
      .array(z.enum(CAPABILITIES))
      .optional()
      .describe('What the roles of the caller allow in this cohort; omitted for administrators, who may do everything'),
  })
  .meta({ id: 'Cohort' });
const ListedCohort = Cohort.extend({
  liveStats: z
    .object({ members: Count, invitations: Count, products: Count })
    .optional()
    .describe('Only with `withLiveStats=true`'),
});

const cohortParams = z.object({ id: Uuid });

export const createCohort = endpoint({
  name: 'createCohort',
  service: 'admin',
  method: 'POST',
  path: '/cohorts',
  auth: 'admin',
  summary: 'Create a cohort',
  description: 'Cohort names need not be unique. Omitted fields are null.',
  body: z.object({ name, type: CohortType, primaryPartner, ...details }),
  replies: { 201: Cohort },
});

export const listCohorts = endpoint({
  name: 'listCohorts',
  service: 'admin',
  method: 'GET',
  path: '/cohorts',
  auth: 'admin',
  capability: 'read-cohort',
  summary: 'List cohorts',
  description:
    'Newest first unless `sort` is given. `match` finds a part of the name, ignoring case. Archived cohorts are not listed. Holders of roles get their own cohorts.',
  query: z.object({
    limit: limitParam(100),
    offset: offsetParam(),
    match: text({ max: 256, name: 'Match' }).optional(),
    sort: z.enum(COHORT_SORTS, { error: `Must be one of ${COHORT_SORTS.join(', ')}` }).default('-createdAt'),
    withLiveStats: booleanParam.default(false),
  }),
  replies: { 200: z.object({ cohorts: z.array(ListedCohort), total: Count }) },
});

export const readCohort = endpoint({
  name: 'readCohort',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}',
  auth: 'admin',
  capability: 'read-cohort',
  summary: 'Read a cohort with its totals',
  params: cohortParams,
  replies: { 200: Cohort },
});

export const updateCohort = endpoint({
  name: 'updateCohort',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}',
  auth: 'admin',
  summary: 'Update a cohort',
  description: 'Changes only the given fields; null clears a field. The name cannot be changed: sending it is 400.',
  params: cohortParams,
  body: z.object({
    name: z.never('The name of a cohort cannot be changed').optional(),
    type: CohortType.optional(),
    primaryPartner: primaryPartner.optional(),
    ...details,
  }),
  replies: { 200: Cohort },
});

// --------------------------------------------------------------------------------------------------------- products

export const PRODUCT_TYPES = ['academy', 'communityPage', 'courseJourney', 'microcourse'] as const;
export const PERMISSIONS = ['can_view', 'can_join'] as const;
const SCOPES = ['public', 'authenticated', 'verified', 'private'] as const;
const Scope = z.enum(SCOPES, { error: `Must be one of ${SCOPES.join(', ')}` });
const Permissions = z.object({ can_view: Scope, can_join: Scope });

export const Product = z
  .object({
    id: EntryId,
    contentType: z.string(),
    slug: z.string().nullable().describe("In the caller's language or the nearest fallback"),
    title: z
      .string()
      .describe("In the caller's language or the nearest fallback; the slug or id when there is no title"),
    course: z.string().optional().describe('The title of the course of a journey; omitted for everything else'),
    permissions: Permissions,
  })
  .meta({ id: 'Product' });
const products = z.object({ products: z.array(Product), total: Count });
const productParams = z.object({ id: EntryId });

export const listProducts = endpoint({
  name: 'listProducts',
  service: 'admin',
  method: 'GET',
  path: '/products',
  auth: 'admin',
  summary: 'Search the products of one content type',
  description:
    '`match` is required and may be empty. It finds a part of the title, of the slug in any language, or of the id, ignoring case. Sorted by title. Withdrawn entries are not listed.',
  query: z.object({
    contentType: z.enum(PRODUCT_TYPES, { error: `Must be one of ${PRODUCT_TYPES.join(', ')}` }),
    match: text({ max: 256, name: 'Match' }),
    limit: limitParam(25),
    skip: offsetParam(),
  }),
  replies: { 200: products },
});

export const registerProduct = endpoint({
  name: 'registerProduct',
  service: 'admin',
  method: 'PUT',
  path: '/products/{id}',
  auth: 'admin',
  summary: 'Register a content entry as a product',
  description: 'A new product is private to view and to join. An existing product is not changed.',
  params: productParams,
  replies: { 204: null },
});

export const readProductPermissions = endpoint({
  name: 'readProductPermissions',
  service: 'admin',
  method: 'GET',
  path: '/products/{id}/permissions',
  auth: 'admin',
  summary: 'Read who may view and join a product',
  description: 'An entry that is not registered as a product is 404.',
  params: productParams,
  replies: { 200: z.object({ permissions: Permissions }) },
});

export const setProductPermission = endpoint({
  name: 'setProductPermission',
  service: 'admin',
  method: 'PUT',
  path: '/products/{id}/permissions',
  auth: 'admin',
  summary: 'Set the scope of one permission',
  description:
    'Joining can never be open to more people than viewing (400). To close a product, raise `can_join` first; to open it, lower `can_view` first. `public` needs a recent sign-in.',
  params: productParams,
  body: z.object({
    permission: z.enum(PERMISSIONS, { error: `Must be one of ${PERMISSIONS.join(', ')}` }),
    scope: Scope,
  }),
  replies: { 204: null },
  errors: ['auth.recent_sign_in_required'],
});

export const listCohortProducts = endpoint({
  name: 'listCohortProducts',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/products',
  auth: 'admin',
  capability: 'manage-cohort',
  summary: 'List the products of a cohort',
  params: cohortParams,
  replies: { 200: products },
});

export const setCohortProducts = endpoint({
  name: 'setCohortProducts',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/products',
  auth: 'admin',
  summary: 'Replace the products of a cohort',
  description:
    'Members of the cohort may view and join its products whatever the scopes are. An id that is not a registered product is 400 and changes nothing. Duplicate ids count once.',
  params: cohortParams,
  body: z.object({ entryIds: z.array(EntryId).max(1000, 'At most 1000 products') }),
  replies: { 204: null },
  errors: ['admin.cohort_archived'],
});

// ----------------------------------------------------------------------------------------------------------- people

export const addCohortUser = endpoint({
  name: 'addCohortUser',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/users',
  auth: 'admin',
  capability: 'manage-cohort',
  summary: 'Add one person to a cohort',
  description:
    'An account with a proven address becomes a member at once. Any other address is invited by mail once and becomes a member when it is proven. Repeating the request changes nothing. `uploadId` assigns the person to an upload of this cohort.',
  params: cohortParams,
  body: z.object({ email: Email, uploadId: Uuid.optional() }),
  replies: { 204: null },
  errors: ['admin.inactive_account', 'admin.cohort_archived', 'admin.cohort_ended'],
});

const CohortUser = z
  .object({ id: Uuid, email: z.string(), name: z.string(), joinedAt: Timestamp, uploadId: Uuid.optional() })
  .meta({ id: 'CohortUser' });

export const listCohortUsers = endpoint({
  name: 'listCohortUsers',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/users',
  auth: 'admin',
  capability: 'manage-cohort',
  summary: 'Count or list the members of a cohort',
  description:
    'With `count=true`, returns only `total`. Otherwise returns `users` in the order they joined, and a `continuationToken` while there are more. A token is valid for its cohort only; an invalid token is 400.',
  params: cohortParams,
  query: z.object({
    count: booleanParam.default(false),
    continuationToken: z.string().max(200, 'The continuation token is not valid').optional(),
    pageSize: limitParam(100),
  }),
  replies: {
    200: z.object({
      total: Count.optional(),
      users: z.array(CohortUser).optional(),
      continuationToken: z.string().optional(),
    }),
  },
});

const InvitedUser = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string().describe('Empty while no account has this address'),
    createdAt: Timestamp.optional(),
  })
  .meta({ id: 'InvitedUser' });

export const listCohortInvitations = endpoint({
  name: 'listCohortInvitations',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/invitations',
  auth: 'admin',
  capability: 'manage-cohort',
  summary: 'List the open invitations of a cohort, oldest first',
  description: 'Contains people who are invited and not yet members. `after` is the number of invitations to skip.',
  params: cohortParams,
  query: z.object({ limit: limitParam(100), after: offsetParam() }),
  replies: { 200: z.object({ users: z.array(InvitedUser), total: Count }) },
});

export const createUpload = endpoint({
  name: 'createUpload',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/uploads',
  auth: 'admin',
  capability: 'manage-cohort',
  summary: 'Queue a bulk upload of e-mail addresses',
  description:
    'One malformed address refuses the whole request, with one issue per wrong row, up to 1 000. An address counts once, whatever its case. A job then adds each person like addCohortUser; repeating an upload changes nothing. More than 1 000 addresses need a recent sign-in.',
  params: cohortParams,
  body: z.object({
    slug: Slug.describe('A label for the upload history'),
    emails: z.array(Email).min(1, 'At least one e-mail address is required'),
  }),
  bodyLimit: 8 * 1024 * 1024,
  replies: { 202: z.object({ uploadId: Uuid, cohortId: Uuid, createdAt: Timestamp }) },
  errors: ['auth.recent_sign_in_required', 'admin.cohort_archived', 'admin.cohort_ended'],
});

export const UPLOAD_OUTCOMES = ['added', 'invited', 'already', 'invalid'] as const;
export const UNDO_OUTCOMES = ['removed', 'withdrawn', 'kept', 'stopped'] as const;
export const Upload = z
  .object({
    uploadId: Uuid,
    cohortId: Uuid,
    slug: z.string(),
    status: z.enum(['processing', 'done']),
    createdAt: Timestamp,
    total: Count.describe('Number of distinct addresses'),
    outcomes: z
      .object({ added: Count, invited: Count, already: Count, invalid: Count })
      .describe(
        'added: became members · invited: invited by mail · already: were members or invited before · invalid: the account is inactive',
      ),
    waiting: Count.describe('Addresses not processed yet'),
    seconds: z.number().min(0).describe('Seconds from the start until the end, or until now, by the database clock'),
    canUndo: z.boolean().describe('The upload is younger than 30 days and was not undone'),
    undo: z
      .object({
        startedAt: Timestamp,
        finishedAt: Timestamp.nullable(),
        removed: Count,
        withdrawn: Count,
        kept: Count,
        stopped: Count,
      })
      .nullable()
      .describe(
        'removed: memberships ended · withdrawn: invitations withdrawn · kept: unchanged · stopped: never processed',
      ),
  })
  .meta({ id: 'Upload' });

export const listUploads = endpoint({
  name: 'listUploads',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/uploads',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'List the uploads of a cohort with their progress',
  params: cohortParams,
  query: z.object({ limit: limitParam(20), offset: offsetParam() }),
  replies: { 200: z.object({ uploads: z.array(Upload), total: Count }) },
});

const UploadAddress = z
  .object({
    position: z.int().min(1).describe('Position among the distinct addresses, in alphabetical order'),
    email: z.string(),
    outcome: z.enum(UPLOAD_OUTCOMES).nullable().describe('null: not processed yet'),
    reason: z.enum(['inactive_account']).nullable().describe('Why the outcome is invalid'),
    undone: z.enum(UNDO_OUTCOMES).nullable().describe('Result of undoing the upload; null: not undone'),
  })
  .meta({ id: 'UploadAddress' });

export const listUploadAddresses = endpoint({
  name: 'listUploadAddresses',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/uploads/{uploadId}/addresses',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'List the outcome of each address of an upload',
  description:
    'Sorted by position; `after` is the position of the last address of the previous page. `outcome` filters the addresses and `total`.',
  params: z.object({ id: Uuid, uploadId: Uuid }),
  query: z.object({
    outcome: z.enum(UPLOAD_OUTCOMES, { error: `Must be one of ${UPLOAD_OUTCOMES.join(', ')}` }).optional(),
    limit: limitParam(100, 1000),
    after: z
      .string()
      .regex(/^\d{1,9}$/, 'Must be a whole number')
      .transform(Number)
      .default(0),
  }),
  replies: { 200: z.object({ addresses: z.array(UploadAddress), total: Count }) },
});
