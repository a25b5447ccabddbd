import { z } from 'zod';
import { Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Settings of a cohort that act for its members by themselves.

const cohortParams = z.object({ id: Uuid });
const isReminding = z
  .boolean()
  .describe('Members are reminded a week and a day before a due date, and three days after it');

const isEnrolling = z
  .boolean()
  .describe(
    'Members are enrolled in the first published journey of each attached product: those of today and later ones, within minutes',
  );

const CohortSettings = z
  .object({ remindsOfDueDates: isReminding, enrolsAtOnce: isEnrolling })
  .meta({ id: 'CohortSettings' });

export const readCohortSettings = endpoint({
  name: 'readCohortSettings',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/settings',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Read what a cohort does for its members by itself',
  params: cohortParams,
  replies: { 200: CohortSettings },
});

export const updateCohortSettings = endpoint({
  name: 'updateCohortSettings',
  service: 'admin',
  method: 'PATCH',
  path: '/cohorts/{id}/settings',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Change what a cohort does for its members by itself',
  description:
    'Omitted fields stay unchanged. `enrolsAtOnce` is not switched on while the cohort is archived. Enrolments that were made stay when `enrolsAtOnce` is switched off. Undoing an upload, or removing a member, ends them like enrolments that the member made, and deletes those that were not started.',
  params: cohortParams,
  body: z.strictObject({ remindsOfDueDates: isReminding.optional(), enrolsAtOnce: isEnrolling.optional() }),
  replies: { 200: CohortSettings },
  errors: ['admin.cohort_archived'],
});
