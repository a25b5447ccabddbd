import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createHttp, isOk, type Attempt, type Http } from './http.ts';
import type { Missed, Write } from './ledger.ts';
import { planWrites, randomRead, type Plan } from './writes.ts';
import type { Fixture } from './fixture.ts';

export type LoadOptions = {
  /** Base URLs of the product, used in turn: a proxy, or the nodes. */
  urls: readonly string[];
  fixture: Fixture;
  /** Requests a second at even intervals, started whether or not earlier ones were answered. */
  perSecond: number;
  /** The percentage of requests that write; 50 by default. */
  writes?: number;
  /** How long to retry an unknown write with its key; 90 seconds by default. */
  retryForMs?: number;
};

/** The totals of a load. */
export type Loaded = {
  writes: Write[];
  /** Own writes that a session's next read missed. */
  missed: Missed[];
  /** How many writes were checked by a read of the same session. */
  verified: number;
  attempts: readonly Attempt[];
  /** Requests not started on schedule because too many were in flight. */
  skipped: number;
  seconds: number;
};

/** The most requests in flight; the rest are skipped and counted. */
const MAX_IN_FLIGHT = 2_000;
const TICK_MS = 20;
/** Every fifth acknowledged write is read back by its own session. */
const VERIFY_EVERY = 5;

/** Starts the load of a drill. `stop` ends it, waits for every unknown write and returns the totals. */
export function startLoad(options: LoadOptions) {
  const { fixture, perSecond, writes: share = 50, retryForMs = 90_000 } = options;
  const http = createHttp(options.urls);
  const writes: Write[] = [];
  const missed: Missed[] = [];
  const inFlight = new Set<Promise<void>>();
  const startedMs = performance.now();
  const nextPlan = planWrites(fixture);
  let verified = 0;
  let startedAt = 0;
  let skipped = 0;
  let acknowledged = 0;

  const write = async (plan: Plan) => {
    const { outcome, status, text, attempts } = await sendUntilKnown(http, plan, retryForMs);
    writes.push({ kind: plan.kind, mark: plan.mark, outcome, status, attempts, endedMs: performance.now() });
    if (outcome !== 'ok' || ++acknowledged % VERIFY_EVERY !== 0) return;
    const { path, shows } = plan.verify(text);
    const answer = await http.send({ method: 'GET', path, cookie: plan.person.cookie });
    // Failed reads are counted by the attempts.
    if (!('status' in answer) || answer.status >= 500) return;
    verified += 1;
    if (!isOk(answer) || !shows(answer.text))
      missed.push({ mark: plan.mark, saw: `${answer.status} ${answer.text.slice(0, 200)}` });
  };
  const verify = async () => {
    const { person, path } = randomRead(fixture);
    await http.send({ method: 'GET', path, cookie: person.cookie });
  };
  const begin = () => {
    startedAt += 1;
    const one = Math.random() * 100 < share ? write(nextPlan()) : verify();
    inFlight.add(one);
    void one.finally(() => inFlight.delete(one));
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1000);
    while (startedAt + skipped < due) {
      if (inFlight.size < MAX_IN_FLIGHT) begin();
      else skipped += 1;
    }
  }, TICK_MS);

  return {
    attempts: http.attempts,
    /** Writes whose outcome is final. */
    written: () => writes.length,
    async stop(): Promise<Loaded> {
      clearInterval(timer);
      const seconds = (performance.now() - startedMs) / 1000;
      await Promise.all(inFlight);
      await http.close();
      return { writes, missed, verified, attempts: http.attempts, skipped, seconds };
    },
  };
}

export type Load = ReturnType<typeof startLoad>;

type Known = Pick<Write, 'outcome' | 'status' | 'attempts'> & { text: string };

/** Sends a write and retries it with the same key until its outcome is known. */
async function sendUntilKnown(http: Http, { sending, person }: Plan, retryForMs: number): Promise<Known> {
  const key = randomUUID();
  const until = performance.now() + retryForMs;
  for (let attempts = 1; ; attempts++) {
    const answer = await http.send({ ...sending, cookie: person.cookie, key });
    const { status, text, retryAfterMs } =
      'status' in answer ? answer : { status: undefined, text: '', retryAfterMs: 0 };
    if (isOk(answer)) return { outcome: 'ok', status, attempts, text };
    if (status !== undefined && status < 500 && status !== 429) return { outcome: 'fail', status, attempts, text };
    if (performance.now() > until) return { outcome: 'unknown', status, attempts, text };
    // Like a good client: honours Retry-After and backs off exponentially.
    await pause(Math.max(retryAfterMs, Math.min(1_000 * 2 ** (attempts - 1), 10_000)) * (0.75 + Math.random() / 2));
  }
}

/** The failed attempts: their number and the slowest. Refusals (4xx) are valid answers. */
export function failuresOf(attempts: readonly Attempt[]) {
  const failed = attempts.filter(({ status }) => status === undefined || status >= 500);
  const slowestMs = failed.reduce((most, { startedMs, endedMs }) => Math.max(most, endedMs - startedMs), 0);
  const unanswered = failed.filter(({ status }) => status === undefined);
  return { all: attempts.length, failed: failed.length, unanswered: unanswered.length, slowestMs };
}

/**
 * The longest time over all addresses from a moment to the first acknowledged write sent after it. Undefined when one
 * address acknowledged none.
 */
export function recoveryTime(attempts: readonly Attempt[], momentMs: number): number | undefined {
  const first = new Map<string, number | undefined>();
  for (const { origin, method, status, startedMs, endedMs } of attempts) {
    const known = first.get(origin);
    first.set(origin, known);
    if (method === 'GET' || status === undefined || status >= 300 || startedMs < momentMs) continue;
    first.set(origin, Math.min(known ?? Infinity, endedMs));
  }
  let slowest = momentMs;
  for (const at of first.values()) {
    if (at === undefined) return undefined;
    slowest = Math.max(slowest, at);
  }
  return slowest - momentMs;
}

/** The longest recovery after any of these moments. Undefined when one of them was not followed by a success. */
export function slowestRecovery(attempts: readonly Attempt[], momentsMs: readonly number[]): number | undefined {
  const recoveries = momentsMs.map((moment) => recoveryTime(attempts, moment));
  return recoveries.includes(undefined) ? undefined : Math.max(...recoveries.map((one) => one ?? 0));
}
