import { z } from 'zod';
import { Cohort, listCohorts } from './admin.ts';
import { limitParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Renaming, archiving and deleting cohorts, and sorted lists of their members.

const Count = z.int().min(0);
const cohortParams = z.object({ id: Uuid });

export const renameCohort = endpoint({
  name: 'renameCohort',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/name',
  auth: 'admin',
  extension: true,
  summary: 'Rename a cohort',
  description: 'Cohort names need not be unique.',
  params: cohortParams,
  body: z.object({ name: text({ min: 1, max: 256, name: 'Name' }) }),
  replies: { 200: Cohort },
});

export const archiveCohort = endpoint({
  name: 'archiveCohort',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/archive',
  auth: 'admin',
  extension: true,
  summary: 'Archive a cohort',
  description:
    'Hides the cohort from the list of cohorts. Members keep their access. Adding people, uploading addresses and resending invitations is 409 until the cohort is reopened; an upload that was accepted before is finished. Invitations wait: nobody becomes a member while the cohort is archived. Archiving twice changes nothing.',
  params: cohortParams,
  replies: { 200: Cohort },
});

export const reopenCohort = endpoint({
  name: 'reopenCohort',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/archive',
  auth: 'admin',
  extension: true,
  summary: 'Reopen an archived cohort',
  description: 'People who were invited and have proven their address in the meantime become members.',
  params: cohortParams,
  replies: { 200: Cohort },
});

export const listArchivedCohorts = endpoint({
  name: 'listArchivedCohorts',
  service: 'admin',
  method: 'GET',
  path: '/archived-cohorts',
  auth: 'admin',
  extension: true,
  summary: 'List archived cohorts',
  description: 'Parameters and reply are those of the list of cohorts.',
  query: listCohorts.query,
  replies: listCohorts.replies,
});

export const previewCohortDeletion = endpoint({
  name: 'previewCohortDeletion',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/deletion',
  auth: 'admin',
  extension: true,
  summary: 'Preview what deleting a cohort removes',
  params: cohortParams,
  replies: {
    200: z
      .object({
        id: Uuid,
        name: z.string(),
        members: Count,
        invitations: Count.describe('Open invitations, which are withdrawn'),
        uploads: Count,
        waiting: Count.describe('Addresses of uploads that are not processed yet, and will not be'),
        products: Count.describe('Products that members lose access to unless something else allows it'),
        enrolments: Count.describe(
          'Current enrolments that members made in journeys of these products. They end unless something else allows them',
        ),
      })
      .meta({ id: 'CohortDeletion' }),
  },
});

export const deleteCohort = endpoint({
  name: 'deleteCohort',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/deletion',
  auth: 'admin',
  extension: true,
  summary: 'Delete a cohort',
  description:
    'Cannot be undone; `name` must repeat the name of the cohort. Access by the cohort ends at once, and running uploads stop. A job then removes memberships, invitations with their unsent mails, and uploads; enrolments end as when a member is removed. Progress, certificates and community memberships stay.',
  params: cohortParams,
  body: z.object({ name: z.string().max(1000) }),
  replies: { 204: null },
});

// ---------------------------------------------------------------------------------------------------------- members

export const MEMBER_SORTS = ['joinedAt', '-joinedAt', 'name', '-name'] as const;

const ListedMember = z
  .object({
    id: Uuid,
    name: z.string(),
    email: z.string(),
    isInactive: z.boolean(),
    joinedAt: Timestamp,
    uploadId: Uuid.nullable().describe('The upload that added the member'),
  })
  .meta({ id: 'ListedCohortMember' });

export const searchCohortMembers = endpoint({
  name: 'searchCohortMembers',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/members',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'List the members of a cohort, sorted',
  description:
    '`continuationToken` continues after the last member of the previous page, in the same order; an invalid token is 400.',
  params: cohortParams,
  query: z.object({
    sort: z.enum(MEMBER_SORTS, { error: `Must be one of ${MEMBER_SORTS.join(', ')}` }).default('joinedAt'),
    continuationToken: z.string().max(200, 'The continuation token is not valid').optional(),
    limit: limitParam(50, 1000),
  }),
  replies: { 200: z.object({ members: z.array(ListedMember), continuationToken: z.string().optional() }) },
});
