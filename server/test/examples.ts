import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usualStatus, type Endpoint } from '@officium/contract/endpoint';
import { z } from 'zod';
import { scoreOf, stableCopy } from './example-values.ts';

// EXAMPLES=1 records requests and responses of tests as candidates for server/http/examples.json
// (server/test/write-examples.ts).

export const EXAMPLES_FOLDER = fileURLToPath(new URL('../../node_modules/.officium-examples', import.meta.url));
const isOn = process.env['EXAMPLES'] === '1';

export type Candidate = { operation: string; status: number; request?: unknown; reply?: unknown };

const best = new Map<string, Candidate>();

/** Records a request and response unless an earlier candidate shows more. */
export function noteExample(endpoint: Endpoint, status: number, { sent, body }: { sent: unknown; body: string }): void {
  if (!isOn) return;
  const isFile = endpoint.download !== undefined && status === usualStatus(endpoint);
  const wantsReply = !isFile && Boolean(endpoint.replies[status]) && /^[{[]/.test(body);
  if (!endpoint.body && !wantsReply) return;
  if (endpoint.body && !z.safeParse(endpoint.body, stableCopy(sent)).success) return;
  keepBetter(best, {
    operation: endpoint.name,
    status,
    ...(endpoint.body ? { request: JSON.parse(JSON.stringify(sent)) } : {}),
    ...(wantsReply ? { reply: JSON.parse(body) } : {}),
  });
}

function keepBetter(candidates: Map<string, Candidate>, candidate: Candidate): void {
  const key = `${candidate.operation} ${candidate.status}`;
  const known = candidates.get(key);
  if (!known || compare(candidate, known) < 0) candidates.set(key, candidate);
}

/** Better candidates first. The order of equals does not depend on the order of tests. */
function compare(a: Candidate, b: Candidate): number {
  const [ofA, ofB] = [stableCopy(a), stableCopy(b)];
  return scoreOf(ofB) - scoreOf(ofA) || (JSON.stringify(ofA) < JSON.stringify(ofB) ? -1 : 1);
}

export function keepExamples(): void {
  if (!isOn) return;
  mkdirSync(EXAMPLES_FOLDER, { recursive: true });
  writeFileSync(join(EXAMPLES_FOLDER, `${process.pid}.json`), JSON.stringify([...best.values()]));
}

/** The best candidate for each operation and status over all processes. */
export function readExamples(): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const file of globSync('*.json', { cwd: EXAMPLES_FOLDER }))
    for (const candidate of JSON.parse(readFileSync(join(EXAMPLES_FOLDER, file), 'utf8')) as Candidate[])
      // as written above
      keepBetter(candidates, candidate);
  return [...candidates.values()].map(stableCopy);
}
