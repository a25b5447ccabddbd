import { mountedPath, type Endpoint } from '@officium/contract/endpoint';

const NOBODY = '0190a1b2-0000-7000-8000-000000000000';

/** A URL of the operation that refers to nothing, unless `id` exists. */
export function unusedUrl(endpoint: Endpoint, id = NOBODY): string {
  return mountedPath(endpoint).replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
    name === 'locale' ? 'en' : name === 'email' ? 'nobody@example.gov' : id,
  );
}
