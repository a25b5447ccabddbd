import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Endpoint, Service } from '@officium/contract/endpoint';
import { isStream, mountedPath } from '@officium/contract/endpoint';
import { createAccount } from '@officium/contract/auth';
import { ENDPOINTS } from '@officium/contract/services';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '#server/http/openapi.ts';
import { endpointAt } from '../answers.ts';
import { createTestApp } from '../app.ts';
import { faultsOf } from './faults.ts';
import { type Operation, planOf, type Request, requestOf } from './requests.ts';
import { type Answer, closeConnections, exchange } from './exchange.ts';
import { makeWorld, type World } from './world.ts';
import { KEPT_OF_REFUSALS, noteWrites, seeWrites, undoWrites } from './writes.ts';

// FUZZ_RUNS widens the search (requests to each operation), FUZZ_SEED moves it.
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
/** Time limit of one operation with all its requests; it grows with their number. */
const TIMEOUT_MS = 120_000 + RUNS * 1_000;
/** A search that runs out of time fails, because fewer requests than asked for were made. */
const SEARCH = { seed: SEED, interruptAfterTimeLimit: TIMEOUT_MS - 20_000, markInterruptAsFailure: true };
/** A request may take this long; more than that counts only when this process worked as long, three times in a row. */
const MAX_MS = 500;
const TRIES = 3;

/** The test file of each service is `<part>.test.ts`; a service of the contract that is missing here does not compile. */
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
const operationOf = (endpoint: Endpoint) => paths[mountedPath(endpoint)]![endpoint.method.toLowerCase()]!; // made of the same list

type Outcome = { answer: Answer; writes: string[]; failedJob?: unknown };

const isSlow = ({ elapsedMs, cpuMs }: Answer) => elapsedMs > MAX_MS && cpuMs > MAX_MS;

function told(request: Request, answer: Answer, faults: string[]): string {
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

/** The operation that answers, if any does: what does not fit Node's headers comes to none. */
function leadsTo({ method, url }: Request, { status }: Answer): Endpoint | undefined {
  return status === 413 && url.length > 8_000 ? undefined : endpointAt(method, url);
}

/** They use a secret up or count what was tried, and take a key without heeding it. */
const GUARD_THEMSELVES = [
  'checkPassword',
  'confirmEmailChange',
  'confirmLoginLink',
  'confirmMySignUp', // ends the session that asks, which asks in vain the second time
  'signIn',
  // A secret of their own each time.
  'startPasskey',
  'startPasskeySignIn',
  'startProviderSignIn',
  'startTotp',
  // An answer that goes on.
  'streamAnswer',
];

/** Refused before the key is looked at, each request has its own id. */
function bodyOf({ text }: Answer): unknown {
  const body = text === '' ? undefined : JSON.parse(text);
  return typeof body === 'object' ? { ...body, requestId: undefined } : body;
}

/** Declares the tests of all operations of a part. */
export async function fuzzOperations(part: (typeof PARTS)[Service]): Promise<void> {
  it('every part has a file', () => {
    const missing = Object.values(PARTS).filter((name) => !existsSync(new URL(`${name}.test.ts`, import.meta.url)));
    expect(missing).toEqual([]);
    expect(basename(expect.getState().testPath ?? '')).toBe(`${part}.test.ts`);
  });

  const asked = ENDPOINTS.filter(({ service }) => PARTS[service] === part);
  const test = await createTestApp({}, { countsAnswers: false });
  let port = 0;
  let world: World;

  beforeAll(async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    port = (test.app.server.address() as AddressInfo).port; // it listens on TCP
    world = await makeWorld(test);
    await noteWrites(test);
  });
  afterAll(closeConnections);

  /** Makes the world what it was. */
  async function restore(): Promise<string[]> {
    const writes = await undoWrites(test);
    if (writes.length > 0) for (const id of world.known.user) test.ctx.sessions.forget(id);
    return writes;
  }

  async function doJobs(): Promise<unknown> {
    const isAsked = (await seeWrites(test)).some((write) => write.includes(' jobs.'));
    return isAsked
      ? await test.drain().then(
          () => undefined,
          (error: unknown) => error,
        )
      : undefined;
  }

  /** Sends a request to the world as it was made, and does the jobs it asked for. */
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
    const faults = faultsOf(leadsTo(request, answer), answer, writes);
    if (failedJob !== undefined) faults.push(`its job failed: ${String(failedJob)}`);
    if (await stayedSlow(request, answer)) faults.push(`slow, ${TRIES} times`);
    if (faults.length > 0) throw new Error(told(request, answer, faults));
  }

  if (asked.includes(createAccount)) {
    it('the jobs that a request asks for are seen and done, and taken back', async () => {
      const body = JSON.stringify({ name: 'Noor', email: 'noor@example.gov' });
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      await exchange(port, { method: 'POST', url: mountedPath(createAccount), headers, body });
      expect(await seeWrites(test)).toContain('INSERT jobs.job_common');
      expect(await doJobs()).toBe(undefined);
      expect(await seeWrites(test)).toContain('UPDATE mails');
      await restore();
      const { rows } = await test.ctx.pool.query(`select from jobs.job where state < 'completed'`);
      expect(rows).toEqual([]);
    });
  }

  describe('whatever is sent, the answer is one of the contract, at once, and nothing is written for a refused request', () => {
    it.each(asked.filter((endpoint) => !isStream(endpoint)).map((endpoint) => [endpoint.name, endpoint] as const))(
      '%s',
      async (_, endpoint) => {
        const plan = planOf(endpoint, operationOf(endpoint));
        const property = fc.asyncProperty(plan, async (given) => await check(requestOf(endpoint, given, world)));
        await fc.assert(property, { ...SEARCH, numRuns: RUNS });
      },
      TIMEOUT_MS,
    );
  });

  async function checkTwice(request: Request): Promise<void> {
    const first = await exchange(port, request);
    const before = (await seeWrites(test)).length;
    const second = await exchange(port, request);
    const more = (await seeWrites(test)).slice(before).filter((write) => !KEPT_OF_REFUSALS.includes(write));
    await restore();
    const faults = more.map((write) => `the second time: ${write}`);
    if (first.status !== second.status) faults.push(`first ${first.status}`);
    if (!isDeepStrictEqual(bodyOf(first), bodyOf(second))) faults.push(`first: ${first.text.slice(0, 400)}`);
    if (faults.length > 0) throw new Error(told(request, second, faults));
  }

  describe('what is sent again under one Idempotency-Key is answered alike, and nothing more is written', () => {
    const posts = asked.filter(({ name, method }) => method === 'POST' && !GUARD_THEMSELVES.includes(name));
    it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))(
      '%s',
      async (_, endpoint) => {
        const property = fc.asyncProperty(planOf(endpoint, operationOf(endpoint)), async (plan) => {
          const { headers, ...request } = requestOf(endpoint, plan, world);
          await checkTwice({ ...request, headers: { ...headers, 'idempotency-key': 'twice' } });
        });
        await fc.assert(property, { ...SEARCH, numRuns: Math.ceil(RUNS / 2) });
      },
      TIMEOUT_MS,
    );
  });
}
