import { readFileSync } from 'node:fs';
import type { Endpoint } from '@officium/contract/endpoint';

type Example = { request?: unknown; replies?: Record<string, unknown> };

// Written by `npm run gen:examples` from the requests and replies of the route tests.
const read = (): Record<string, Example> =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Record<string, Example>; // our own file
let examples: Record<string, Example> | undefined;

/** Request and reply examples by operation. Loaded lazily, since most processes never build the document. */
export function exampleFor({ name }: Endpoint): Example {
  return (examples ??= read())[name] ?? {};
}
