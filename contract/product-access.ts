import { z } from 'zod';
import { PERMISSIONS, PRODUCT_TYPES } from './admin.ts';
import { EntryId, limitParam, offsetParam, text, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Product access for the administration screen. */

export const ACCESS_TYPES = [
  'course',
  ...PRODUCT_TYPES,
  'qaQuestion',
  'solutionArticle',
  'learningHub',
  'event',
] as const;
export const ACCESS_SCOPES = ['public', 'authenticated', 'verified', 'private'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];
const SORTED_BY = ['title', 'type', 'view', 'join'] as const;
export const ACCESS_SORTS = [...SORTED_BY, ...SORTED_BY.map((name) => `-${name}` as const)] as const;

const oneOf = (values: readonly string[]) => ({ error: `Must be one of ${values.join(', ')}` });
const Scope = z.enum(ACCESS_SCOPES, oneOf(ACCESS_SCOPES));
const Scopes = z.object({ can_view: Scope, can_join: Scope });
const SCOPES_FIT = { message: 'Joining cannot be open to more people than viewing', path: ['can_join'] };
const fit = ({ can_view, can_join }: { can_view: AccessScope; can_join: AccessScope }) =>
  ACCESS_SCOPES.indexOf(can_join) >= ACCESS_SCOPES.indexOf(can_view);
const Count = z.int().min(0);
export const ACCESS_REASONS = ['own', 'as-course', 'stricter-course', 'content'] as const;
const Reason = z
  .enum(ACCESS_REASONS)
  .describe(
    'Why these scopes are in force: own: they are its permissions · as-course: a journey without permissions of its own · stricter-course: the permissions of its course are stricter · content: the content itself is restricted to admitted people',
  );
const params = z.object({ id: EntryId });

const ListedEntry = z
  .object({
    id: EntryId,
    contentType: z.enum(ACCESS_TYPES),
    slug: z.string().nullable(),
    title: z
      .string()
      .describe("In the caller's language or the nearest fallback; the slug or id when there is no title"),
    course: z.string().optional().describe('The title of the course of a journey; omitted for everything else'),
    permissions: Scopes.nullable().describe('null: not registered as a product, so nobody has access'),
    effective: Scopes.nullable().describe('The scopes in force, which `reason` explains; null: no product'),
    reason: Reason.nullable(),
    isJourney: z.boolean().describe('Can follow its course'),
    updatedAt: Timestamp.nullable().describe('Time of registration or of the last change of permissions'),
  })
  .meta({ id: 'ProductAccess' });

export const listProductAccess = endpoint({
  name: 'listProductAccess',
  service: 'admin',
  method: 'GET',
  path: '/product-access',
  auth: 'admin',
  extension: true,
  summary: 'List products and unregistered entries with their access',
  description:
    '`match` works as in the list of products. `state` filters registered or unregistered entries. Sorted by title by default; scopes sort from public to private. Withdrawn entries are omitted.',
  query: z.object({
    type: z.enum(ACCESS_TYPES, oneOf(ACCESS_TYPES)).optional(),
    state: z.enum(['registered', 'unregistered'], oneOf(['registered', 'unregistered'])).optional(),
    match: text({ max: 256, name: 'Match' }).default(''),
    sort: z.enum(ACCESS_SORTS, oneOf(ACCESS_SORTS)).default('title'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: { 200: z.object({ entries: z.array(ListedEntry), total: Count }) },
});

const Change = z.object({
  before: Count.describe('Accounts that have access now'),
  after: Count.describe('Accounts that would have access'),
});

export const previewProductAccess = endpoint({
  name: 'previewProductAccess',
  service: 'admin',
  method: 'GET',
  path: '/products/{id}/access-preview',
  auth: 'admin',
  extension: true,
  summary: 'Preview how many people a change of permissions affects',
  description:
    'Counts active accounts. Administrators, cohort members and enrolled users see the product whatever its scopes are. An entry that is not registered as a product is 404.',
  params,
  query: Scopes.refine(fit, SCOPES_FIT),
  replies: {
    200: z.object({
      id: EntryId,
      title: z.string(),
      contentType: z.enum(ACCESS_TYPES),
      permissions: Scopes.describe('Current permissions'),
      effective: Scopes.describe('The scopes in force now'),
      reason: Reason,
      course: Scopes.nullable().describe('The scopes of the course of a journey; null for other products'),
      admitted: z
        .object({ cohorts: Count.describe('Cohorts that are not deleted'), people: Count })
        .nullable()
        .describe(
          'Active accounts with access through a cohort or an enrolment; null where everybody has access anyway',
        ),
      view: Change,
      join: Change,
      places: Count.describe('People who are enrolled or members; they keep their access'),
      becomesPublic: z.boolean().describe('The product becomes visible without an account'),
      endsPublic: z.boolean().describe('The product stops being visible without an account'),
      byInvitation: z
        .boolean()
        .describe('The content itself is restricted to admitted people, whatever the permissions are'),
    }),
  },
});

export const setProductAccess = endpoint({
  name: 'setProductAccess',
  service: 'admin',
  method: 'PUT',
  path: '/products/{id}/access',
  auth: 'admin',
  extension: true,
  summary: 'Set who may view and join a product',
  description:
    'Sets both permissions or neither. `as: course` makes a journey follow its course again. Joining can never be open to more people than viewing (400). An entry that is not registered as a product is 404. `public` needs a recent sign-in.',
  params,
  body: z.union([Scopes.refine(fit, SCOPES_FIT), z.object({ as: z.literal('course') })]),
  replies: { 204: null },
  errors: ['auth.recent_sign_in_required'],
});

/** Bounds one transaction and the address of the preview page. */
export const MAX_CHANGED_TOGETHER = 100;

export const setPermissionOfProducts = endpoint({
  name: 'setPermissionOfProducts',
  service: 'admin',
  method: 'PUT',
  path: '/product-access',
  auth: 'admin',
  extension: true,
  summary: 'Set one permission of several products',
  description:
    'All of them or none: a product that cannot have this permission, because joining would be open to more people than viewing, refuses the request with an issue at its place in `ids`. The other permission of each product stays. An id that is not a registered product is 404. `public` needs a recent sign-in.',
  body: z.object({
    ids: z
      .array(EntryId)
      .min(1, 'Select at least one product')
      .max(MAX_CHANGED_TOGETHER, `Select at most ${MAX_CHANGED_TOGETHER} products`),
    permission: z.enum(PERMISSIONS, oneOf(PERMISSIONS)),
    scope: Scope,
  }),
  replies: { 204: null },
  errors: ['request.not_found', 'auth.recent_sign_in_required'],
});
