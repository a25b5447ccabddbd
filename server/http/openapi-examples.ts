import { readFileSync } from 'node:fs';
import type { Endpoint } from '@officium/contract/endpoint';

type Example = { request?: unknown; replies?: Record<string, unknown> };

// Written by `npm run gen:examples` from what the tests of the routes send and are answered.
const read = (): Record<string, Example> =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Record<string, Example>; // our own file
let examples: Record<string, Example> | undefined;

/** What an operation is sent and answers; read when a document is made, which most processes never do. */
export function exampleFor({ name }: Endpoint): Example {
  return (examples ??= read())[name] ?? {};
}
