import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createHttp, isOk, type Attempt, type Http } from './http.ts';
import type { Missed, Write } from './ledger.ts';
import { mixOf, readOf, type Plan } from './writes.ts';
import type { World } from './world.ts';

export type LoadOptions = {
  /** The addresses of the product, taken in turn: one of a proxy, or those of the nodes. */
  urls: readonly string[];
  world: World;
  /** Requests a second, as evenly as they come; begun whether or not the ones before were answered. */
  perSecond: number;
  /** Of a hundred requests, how many write. Half unless told. */
  writes?: number;
  /** How long an unknown write is sent again with its key. A minute and a half unless told. */
  retryForMs?: number;
};

/** What the load did, in all. */
export type Loaded = {
  writes: Write[];
  /** What sessions did not see right after they wrote it. */
  missed: Missed[];
  /** How many writes were looked for by their own session. */
  looked: number;
  attempts: readonly Attempt[];
  /** Requests that were not begun when they should have been: too many were under way. */
  heldBack: number;
  seconds: number;
};

/** Requests under way at most; the rest waits and is counted. */
const MOST_UNDER_WAY = 2_000;
const TICK_MS = 20;
/** Every so many-th acknowledged write is looked for by its own session. */
const LOOK_EVERY = 5;

/** The load of a drill, begun at once; `stop` ends it, sees every unknown write to its end and answers what was done. */
export function startLoad(options: LoadOptions) {
  const { world, perSecond, writes: share = 50, retryForMs = 90_000 } = options;
  const http = createHttp(options.urls);
  const writes: Write[] = [];
  const missed: Missed[] = [];
  const underWay = new Set<Promise<void>>();
  const begunMs = performance.now();
  const mix = mixOf(world);
  let looked = 0;
  let begun = 0;
  let heldBack = 0;
  let acknowledged = 0;

  const write = async (plan: Plan) => {
    const { outcome, status, text, attempts } = await sendUntilKnown(http, plan, retryForMs);
    writes.push({ kind: plan.kind, mark: plan.mark, outcome, status, attempts, endedMs: performance.now() });
    if (outcome !== 'ok' || ++acknowledged % LOOK_EVERY !== 0) return;
    const { path, shows } = plan.look(text);
    const answer = await http.send({ method: 'GET', path, cookie: plan.person.cookie });
    // Not answered is another matter, which the attempts tell.
    if (!('status' in answer) || answer.status >= 500) return;
    looked += 1;
    if (!isOk(answer) || !shows(answer.text))
      missed.push({ mark: plan.mark, saw: `${answer.status} ${answer.text.slice(0, 200)}` });
  };
  const look = async () => {
    const { person, path } = readOf(world);
    await http.send({ method: 'GET', path, cookie: person.cookie });
  };
  const begin = () => {
    begun += 1;
    const one = Math.random() * 100 < share ? write(mix()) : look();
    underWay.add(one);
    void one.finally(() => underWay.delete(one));
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begunMs) * perSecond) / 1000);
    while (begun + heldBack < due) {
      if (underWay.size < MOST_UNDER_WAY) begin();
      else heldBack += 1;
    }
  }, TICK_MS);

  return {
    attempts: http.attempts,
    /** How many writes have come to their end so far. */
    written: () => writes.length,
    async stop(): Promise<Loaded> {
      clearInterval(timer);
      const seconds = (performance.now() - begunMs) / 1000;
      await Promise.all(underWay);
      await http.close();
      return { writes, missed, looked, attempts: http.attempts, heldBack, seconds };
    },
  };
}

export type Load = ReturnType<typeof startLoad>;

type Known = Pick<Write, 'outcome' | 'status' | 'attempts'> & { text: string };

/** Sends a write; while nobody knows what became of it, again with the same key. */
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
    // As a client should: no sooner than it is told, and ever more rarely.
    await pause(Math.max(retryAfterMs, Math.min(1_000 * 2 ** (attempts - 1), 10_000)) * (0.75 + Math.random() / 2));
  }
}

/** The answers that were no success: how many, and how long the slowest took. Refusals (4xx) are answers as they should be. */
export function failuresOf(attempts: readonly Attempt[]) {
  const failed = attempts.filter(({ status }) => status === undefined || status >= 500);
  const slowestMs = failed.reduce((most, { begunMs, endedMs }) => Math.max(most, endedMs - begunMs), 0);
  const unanswered = failed.filter(({ status }) => status === undefined);
  return { all: attempts.length, failed: failed.length, unanswered: unanswered.length, slowestMs };
}

/**
 * How long after a moment the first write was acknowledged that was sent after it, at the address where that took
 * longest; undefined: at one of them none was.
 */
export function firstOkAfter(attempts: readonly Attempt[], momentMs: number): number | undefined {
  const first = new Map<string, number | undefined>();
  for (const { origin, method, status, begunMs, endedMs } of attempts) {
    const known = first.get(origin);
    first.set(origin, known);
    if (method === 'GET' || status === undefined || status >= 300 || begunMs < momentMs) continue;
    first.set(origin, Math.min(known ?? Infinity, endedMs));
  }
  let slowest = momentMs;
  for (const at of first.values()) {
    if (at === undefined) return undefined;
    slowest = Math.max(slowest, at);
  }
  return slowest - momentMs;
}
