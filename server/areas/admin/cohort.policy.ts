import { COHORT_TYPES } from '@officium/contract/admin';

/** The cohort types. The staff type is named after the provider, e.g. `OFFICIUM_STAFF`. */
export function cohortTypes(providerName: string): string[] {
  return [`${providerName.trim().toUpperCase().replace(/ +/g, '_')}_STAFF`, ...COHORT_TYPES];
}
