import { COHORT_TYPES } from '@officium/contract/admin';

/** What a cohort may be, the staff type being named after the provider: `OFFICIUM_STAFF`. */
export function cohortTypes(providerName: string): string[] {
  return [`${providerName.trim().toUpperCase().replace(/ +/g, '_')}_STAFF`, ...COHORT_TYPES];
}
