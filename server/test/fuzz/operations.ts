import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Endpoint, Service } from '@officium/contract/endpoint';
import { isStream, mountedPath } from '@officium/contract/endpoint';
import { createAccount } from '@officium/contract/auth';
import { ENDPOINTS } from '@officium/contract/services';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '#server/http/openapi.ts';
import { endpointAt } from '../answers.ts';
import { createTestApp } from '../app.ts';
import { faultsOf } from './faults.ts';
import { type Operation, planOf, type Request, requestOf } from './requests.ts';
import { type Answer, exchange, listen } from './exchange.ts';
import { makeFixture, type Fixture } from './fixture.ts';
import { ALLOWED_ON_REPETITION, noteWrites, readWrites, undoWrites } from './writes.ts';

// FUZZ_RUNS sets the number of requests to each operation, FUZZ_SEED the random seed.
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
/** The time limit for all requests to one operation; it grows with their number. */
const TIMEOUT_MS = 120_000 + RUNS * 1_000;
/** A search that times out fails, because it sent fewer requests than configured. */
const SEARCH = { seed: SEED, interruptAfterTimeLimit: TIMEOUT_MS - 20_000, markInterruptAsFailure: true };
/** The limit for one request. Slower requests count only when the process was busy as long, three times in a row. */
const MAX_MS = 500;
const TRIES = 3;

/** The test file of each part is `<part>.test.ts`. A service of the contract that is missing here does not compile. */
const PARTS = {
  account: 'people',
  people: 'people',
  assets: 'people',
  notifications: 'people',
  search: 'people',
  auth: 'auth',
  admin: 'office',
  content: 'learning',
  enrolment: 'learning',
  learner: 'learning',
  ai: 'learning',
  community: 'community',
  moderation: 'community',
} as const satisfies Record<Service, string>;

const paths = openApiDocument(ENDPOINTS, { url: '', version: '', cookie: '' })['paths'] as Record<
  string,
  Record<string, Operation>
>; // as requests.ts reads it
const operationOf = (endpoint: Endpoint) => paths[mountedPath(endpoint)]![endpoint.method.toLowerCase()]!; // generated from the same list

type Outcome = { answer: Answer; writes: string[]; failedJob?: unknown };

const isSlow = ({ elapsedMs, cpuMs }: Answer) => elapsedMs > MAX_MS && cpuMs > MAX_MS;

function failureMessage(request: Request, answer: Answer, faults: string[]): string {
  const body = request.body?.toString() ?? '';
  return [
    ...faults,
    `${request.method} ${request.url.slice(0, 400)}`,
    `headers: ${JSON.stringify(request.headers).slice(0, 600)}`,
    `body (${body.length}): ${body.slice(0, 1_000)}`,
    `answer ${answer.status} after ${Math.round(answer.elapsedMs)} ms: ${answer.text.slice(0, 400)}`,
    `FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`,
  ].join('\n');
}

/** The operation that answers, if any. Node rejects URLs that exceed its header limit. */
function endpointOf({ method, url }: Request, { status }: Answer): Endpoint | undefined {
  return status === 413 && url.length > 8_000 ? undefined : endpointAt(method, url);
}

/** These consume a secret or count attempts, and ignore the key. */
const WITHOUT_STORED_ANSWER = [
  'checkPassword',
  'confirmEmailChange',
  'confirmLoginLink',
  'confirmMySignUp', // ends the session of the first request, so the second one is refused
  'signIn',
  // A new secret each time.
  'startPasskey',
  'startPasskeySignIn',
  'startProviderSignIn',
  'startTotp',
  // A streamed response.
  'streamAnswer',
];

/** A request that is refused before its key is read has its own request id each time. */
function bodyOf({ text }: Answer): unknown {
  const body = text === '' ? undefined : JSON.parse(text);
  return typeof body === 'object' ? { ...body, requestId: undefined } : body;
}

/** Defines the tests of all operations of a part. */
export async function fuzzOperations(part: (typeof PARTS)[Service]): Promise<void> {
  it('every part has a test file', () => {
    const missing = Object.values(PARTS).filter((name) => !existsSync(new URL(`${name}.test.ts`, import.meta.url)));
    expect(missing).toEqual([]);
    expect(basename(expect.getState().testPath ?? '')).toBe(`${part}.test.ts`);
  });

  const asked = ENDPOINTS.filter(({ service }) => PARTS[service] === part);
  const test = await createTestApp({}, { countsAnswers: false });
  const port = await listen(test);
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await makeFixture(test);
    await noteWrites(test);
  });

  /** Resets the fixture. */
  async function restore(): Promise<string[]> {
    const writes = await undoWrites(test);
    if (writes.length > 0) for (const id of fixture.known.user) test.ctx.sessions.forget(id);
    return writes;
  }

  async function doJobs(): Promise<unknown> {
    const isAsked = (await readWrites(test)).some((write) => write.includes(' jobs.'));
    return isAsked
      ? await test.drain().then(
          () => undefined,
          (error: unknown) => error,
        )
      : undefined;
  }

  /** Sends a request to the fresh fixture and runs the jobs it enqueued. */
  async function ask(request: Request): Promise<Outcome> {
    const answer = await exchange(port, request);
    const failedJob = await doJobs();
    return { answer, writes: await restore(), failedJob };
  }

  async function stayedSlow(request: Request, first: Answer): Promise<boolean> {
    let answer = first;
    for (let tried = 1; isSlow(answer) && tried < TRIES; tried++) answer = (await ask(request)).answer;
    return isSlow(answer);
  }

  async function check(request: Request): Promise<void> {
    const { answer, writes, failedJob } = await ask(request);
    const faults = faultsOf(endpointOf(request, answer), answer, writes);
    if (failedJob !== undefined) faults.push(`a job failed: ${String(failedJob)}`);
    if (await stayedSlow(request, answer)) faults.push(`slow, ${TRIES} times`);
    if (faults.length > 0) throw new Error(failureMessage(request, answer, faults));
  }

  if (asked.includes(createAccount)) {
    it('runs the jobs of a request and rolls them back', async () => {
      const body = JSON.stringify({ name: 'Noor', email: 'noor@example.gov' });
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      await exchange(port, { method: 'POST', url: mountedPath(createAccount), headers, body });
      expect(await readWrites(test)).toContain('INSERT jobs.job_common');
      expect(await doJobs()).toBe(undefined);
      expect(await readWrites(test)).toContain('UPDATE mails');
      await restore();
      const { rows } = await test.ctx.pool.query(`select from jobs.job where state < 'completed'`);
      expect(rows).toEqual([]);
    });
  }

  describe('every request gets an answer of the contract in time, and a refused one writes nothing', () => {
    it.each(asked.filter((endpoint) => !isStream(endpoint)).map((endpoint) => [endpoint.name, endpoint] as const))(
      '%s',
      async (_, endpoint) => {
        const plan = planOf(endpoint, operationOf(endpoint));
        const property = fc.asyncProperty(plan, async (given) => await check(requestOf(endpoint, given, fixture)));
        await fc.assert(property, { ...SEARCH, numRuns: RUNS });
      },
      TIMEOUT_MS,
    );
  });

  async function checkTwice(request: Request): Promise<void> {
    const first = await exchange(port, request);
    const before = (await readWrites(test)).length;
    const second = await exchange(port, request);
    const more = (await readWrites(test)).slice(before).filter((write) => !ALLOWED_ON_REPETITION.includes(write));
    await restore();
    const faults = more.map((write) => `repeated: ${write}`);
    if (first.status !== second.status) faults.push(`first ${first.status}`);
    if (!isDeepStrictEqual(bodyOf(first), bodyOf(second))) faults.push(`first: ${first.text.slice(0, 400)}`);
    if (faults.length > 0) throw new Error(failureMessage(request, second, faults));
  }

  describe('a request repeated with its Idempotency-Key gets the same answer and writes nothing more', () => {
    const posts = asked.filter(({ name, method }) => method === 'POST' && !WITHOUT_STORED_ANSWER.includes(name));
    it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))(
      '%s',
      async (_, endpoint) => {
        const property = fc.asyncProperty(planOf(endpoint, operationOf(endpoint)), async (plan) => {
          const { headers, ...request } = requestOf(endpoint, plan, fixture);
          await checkTwice({ ...request, headers: { ...headers, 'idempotency-key': 'twice' } });
        });
        await fc.assert(property, { ...SEARCH, numRuns: Math.ceil(RUNS / 2) });
      },
      TIMEOUT_MS,
    );
  });
}
