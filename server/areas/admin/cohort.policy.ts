import { COHORT_TYPES } from '@officium/contract/admin';
import { holdersOf } from '#server/access/policies.ts';
import type { RolePlace } from '#server/access/roles.ts';

/** For operations on one cohort: administrators and its managers. */
export const MANAGES_COHORT = {
  policy: holdersOf('manage-cohort'),
  place: ({ params }: { params: { id: string } }): RolePlace => ({ kind: 'cohort', id: params.id }),
};

/** The cohort types. The staff type is named after the provider, e.g. `OFFICIUM_STAFF`. */
export function cohortTypes(providerName: string): string[] {
  return [`${providerName.trim().toUpperCase().replace(/ +/g, '_')}_STAFF`, ...COHORT_TYPES];
}
