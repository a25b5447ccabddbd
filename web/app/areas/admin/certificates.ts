import type { listIssuedCertificates } from '@officium/contract/issued-certificates';
import type { InputOf } from '@officium/contract/endpoint';
import type { MessageKey } from '../../message-keys.ts';

type Query = InputOf<typeof listIssuedCertificates>['query'];

/** The filters of the list in the address, without empty ones. */
export type CertificateFilter = Partial<Pick<Query, 'course' | 'cohort' | 'organization' | 'state' | 'from' | 'to'>>;

const FILTERS = ['course', 'cohort', 'organization', 'state', 'from', 'to'] as const;

export function certificateFilterOf(url: URL): CertificateFilter {
  const given = FILTERS.flatMap((name) => {
    const value = url.searchParams.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given); // an unknown value is refused by the contract
}

export const CERTIFICATE_STATES = {
  valid: 'transcript.valid',
  expired: 'admin.certificates_expired',
  renewed: 'admin.certificates_renewed',
  revoked: 'transcript.revoked',
} as const satisfies Record<NonNullable<CertificateFilter['state']>, MessageKey>;
