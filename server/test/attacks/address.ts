import { mountedPath, type Endpoint } from '@officium/contract/endpoint';

const NOBODY = '0190a1b2-0000-7000-8000-000000000000';

/** An address of the operation at which nothing is, unless `id` is of something. */
export function addressWithNothing(endpoint: Endpoint, id = NOBODY): string {
  return mountedPath(endpoint).replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
    name === 'locale' ? 'en' : name === 'email' ? 'nobody@example.gov' : id,
  );
}
