import { z } from 'zod';
import { PRODUCT_TYPES } from './admin.ts';
import { EntryId, limitParam, offsetParam, text, Timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Who sees and joins what, for the screen that shows all of it at once. */

export const ACCESS_TYPES = ['course', ...PRODUCT_TYPES] as const;
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
const params = z.object({ id: EntryId });

const ListedEntry = z
  .object({
    id: EntryId,
    contentType: z.enum(ACCESS_TYPES),
    slug: z.string().nullable(),
    title: z.string().describe("In the reader's language or the next that has one; the slug or id when it has none"),
    permissions: Scopes.nullable().describe('null: not registered, so nobody is let in'),
    updatedAt: Timestamp.nullable().describe('When it was registered or its permissions were last set'),
  })
  .meta({ id: 'ProductAccess' });

export const listProductAccess = endpoint({
  name: 'listProductAccess',
  service: 'admin',
  method: 'GET',
  path: '/product-access',
  auth: 'admin',
  extension: true,
  summary: 'products of every type with who may view and join them, and entries that could become products',
  description:
    '`match` is looked for as in the list of products. `state` keeps what is registered, or what is not. Sorted by title unless `sort` says otherwise; scopes sort from everyone to the invited. Withdrawn entries are left out.',
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
  before: Count.describe('People with an account who can now'),
  after: Count.describe('People with an account who could then'),
});

export const previewProductAccess = endpoint({
  name: 'previewProductAccess',
  service: 'admin',
  method: 'GET',
  path: '/products/{id}/access-preview',
  auth: 'admin',
  extension: true,
  summary: 'for how many people a change of permissions would change something',
  description:
    'Counts accounts in use. Administrators, people let in by a cohort and people with a place see the product whatever its scopes are. An entry that is not registered as a product is 404.',
  params,
  query: Scopes.refine(fit, SCOPES_FIT),
  replies: {
    200: z.object({
      id: EntryId,
      title: z.string(),
      contentType: z.enum(ACCESS_TYPES),
      permissions: Scopes.describe('As they are'),
      view: Change,
      join: Change,
      places: Count.describe('People with a place in it: enrolled, or members. They keep it'),
      becomesPublic: z.boolean().describe('It could be seen without an account, which it cannot be now'),
      endsPublic: z.boolean().describe('It can be seen without an account, which it could not be then'),
      byInvitation: z
        .boolean()
        .describe('The content itself says that only people who are let in see it, whatever is set here'),
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
  summary: 'set who may view and who may join a product at once',
  description:
    'Both or neither. A join is never looser than a view: 400. An entry that is not registered as a product is 404. Making it public needs a recent sign-in.',
  params,
  body: Scopes.refine(fit, SCOPES_FIT),
  replies: { 204: null },
  errors: ['auth.recent_sign_in_required'],
});
