import type { SitePageKind } from '@officium/contract/site';

const ADDRESSES = {
  privacy: '/privacy',
  terms: '/terms',
  imprint: '/legal-notice',
  accessibility: '/accessibility-statement',
} as const satisfies Record<SitePageKind, string>;

export function addressOfPage(kind: SitePageKind): string {
  return ADDRESSES[kind];
}
