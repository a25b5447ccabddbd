import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Roles that administrators assign to people, each in one place. */
export const ASSIGNED_ROLES = [
  ...(['auditor', 'report-reader', 'cohort-manager', 'moderator'] as const),
  ...(['course-owner', 'author', 'translator'] as const),
] as const;
export type AssignedRole = (typeof ASSIGNED_ROLES)[number];

export const PLACE_KINDS = ['installation', 'academy', 'course', 'cohort', 'community'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** The kinds of places in which a role can be assigned. A role in an academy holds for its courses. */
export const PLACES_OF_ROLE: Record<AssignedRole, readonly PlaceKind[]> = {
  auditor: ['installation'],
  'report-reader': ['installation', 'academy', 'course', 'cohort'],
  'cohort-manager': ['cohort'],
  moderator: ['community'],
  'course-owner': ['academy', 'course'],
  author: ['academy', 'course'],
  translator: ['academy', 'course'],
};

/** Errors of these operations, with their status. */
export const roleErrors = {
  'admin.role_not_in_place': { status: 400, message: 'This role cannot be assigned in this kind of place.' },
} as const;

const PlaceId = z.string().min(1).max(64).nullable().describe('null for the installation');
const Kind = z.enum(PLACE_KINDS, { error: `Must be one of ${PLACE_KINDS.join(', ')}` });
const Role = z.enum(ASSIGNED_ROLES, { error: `Must be one of ${ASSIGNED_ROLES.join(', ')}` });

const Assignment = z
  .object({
    id: Uuid,
    person: z.object({ id: Uuid, name: z.string() }),
    role: Role,
    place: z.object({
      kind: Kind,
      id: PlaceId,
      title: z.string().nullable().describe('The title of the place, or its name; null for the installation'),
    }),
    givenBy: z.string().nullable().describe('The name of the administrator; null after their erasure'),
    givenAt: Timestamp,
  })
  .meta({ id: 'RoleAssignment' });
export type Assignment = z.output<typeof Assignment>;

const personParams = z.object({ id: Uuid });
const localised = z.object({ locale: LocaleCode.optional() });

export const listPersonRoles = endpoint({
  name: 'listPersonRoles',
  service: 'admin',
  method: 'GET',
  path: '/people/{id}/roles',
  auth: 'admin',
  extension: true,
  summary: 'List the roles of a person, newest first',
  params: personParams,
  query: localised,
  replies: { 200: z.object({ assignments: z.array(Assignment) }) },
});

export const giveRole = endpoint({
  name: 'giveRole',
  service: 'admin',
  method: 'POST',
  path: '/people/{id}/roles',
  auth: 'admin',
  extension: true,
  summary: 'Assign a role to a person in one place',
  description:
    'Takes effect at once, elsewhere within five seconds. Assigning a role again returns the existing assignment. Needs a recent sign-in. Your own roles are 403; an unknown person or place is 404.',
  params: personParams,
  body: z.object({ role: Role, kind: Kind, placeId: PlaceId.optional() }),
  replies: { 201: Assignment },
  errors: ['auth.recent_sign_in_required', 'people.own_rights', 'admin.role_not_in_place'],
});

export const takeRole = endpoint({
  name: 'takeRole',
  service: 'admin',
  method: 'DELETE',
  path: '/people/{id}/roles/{assignmentId}',
  auth: 'admin',
  extension: true,
  summary: 'Take a role away from a person',
  description: 'Takes effect at once, elsewhere within five seconds. Needs a recent sign-in. Your own roles are 403.',
  params: personParams.extend({ assignmentId: Uuid }),
  replies: { 204: null },
  errors: ['auth.recent_sign_in_required', 'people.own_rights'],
});

export const listRoleAssignments = endpoint({
  name: 'listRoleAssignments',
  service: 'admin',
  method: 'GET',
  path: '/roles',
  auth: 'admin',
  extension: true,
  summary: 'List who has which role where, newest first',
  query: localised.extend({
    role: Role.optional(),
    kind: Kind.optional(),
    placeId: z.string().min(1).max(64).optional().describe('The id of one place of this `kind`'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: { 200: z.object({ assignments: z.array(Assignment), total: z.int() }) },
});

export const PLACES_FOUND = 20;

export const findRolePlaces = endpoint({
  name: 'findRolePlaces',
  service: 'admin',
  method: 'GET',
  path: '/role-places',
  auth: 'admin',
  extension: true,
  summary: 'Find places in which a role can be assigned',
  description: `Returns at most ${PLACES_FOUND} places whose title in any language, or whose name, contains \`match\`.`,
  query: localised.extend({ role: Role, match: text({ max: 200, name: 'Match' }).default('') }),
  replies: {
    200: z.object({
      places: z.array(z.object({ kind: Kind, id: PlaceId, title: z.string().nullable() })),
    }),
  },
});

export const REPORT_PLACES = 100;

export const listReportPlaces = endpoint({
  name: 'listReportPlaces',
  service: 'admin',
  method: 'GET',
  path: '/report-places',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: 'List the courses and cohorts whose reports I may read',
  description: `At most ${REPORT_PLACES} of each, in the order of the catalogue and by name.`,
  query: localised,
  replies: {
    200: z.object({
      isEverywhere: z.boolean().describe('Also the reports of the whole installation'),
      courses: z.array(z.object({ slug: z.string(), title: z.string() })),
      cohorts: z.array(z.object({ id: Uuid, name: z.string() })),
    }),
  },
});
