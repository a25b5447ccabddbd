import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from './client.ts';
import { askPosition, askReplica, askSystem, type Position } from './log-position.ts';
import type { ReplicaHealth } from './replica-health.ts';

/** Checks a replica every second. */
export type ReplicaWatch = {
  /** The primary's position, after every commit before the call. */
  position(): Promise<Position>;
  /** Checks the replica. */
  look(): Promise<void>;
  /** Waits until the replica has replayed every current commit, or is skipped. */
  caughtUp(): Promise<void>;
  /** Lets a current check finish. */
  close(): Promise<void>;
};

const CHECK_EVERY_MS = 1_000;
/** The timeout for a check of the replica and for a connection to it. */
export const CHECK_TIMEOUT_MS = 2_000;

/** Coalesces concurrent calls: callers that arrive during a call share the next one. */
export function coalesceCalls<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () =>
    (next ??= underWay.then(() => {
      next = undefined;
      const asked = ask();
      underWay = asked.catch(() => {}); // the callers get the error
      return asked;
    }));
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const clock = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: clock.signal }).then(() => {
    throw new Error(`no answer in ${timeoutMs} ms`);
  });
  late.catch(() => {}); // aborted when the work was faster
  return await Promise.race([work, late]).finally(() => clock.abort());
}

/** Watches the replica that `probe` reaches. `onFailure`: a check failed, so that open connections may hang. */
export function watchReplica(
  { primary, probe, onFailure }: { primary: Db; probe: Db; onFailure: () => void },
  health: ReplicaHealth,
  now: () => number,
): ReplicaWatch {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const look = coalesceCalls(async () => {
    const at = now();
    const asking = Promise.all([askPosition(primary), askSystem(primary)]);
    const primaryIs = await asking.then(
      ([position, system]) => ({ position, system }),
      () => undefined,
    );
    if (!primaryIs || isClosed) return; // says nothing about the replica, which becomes too old soon
    try {
      health.compare(at, primaryIs, await within(CHECK_TIMEOUT_MS, askReplica(probe)));
    } catch (error) {
      health.fail(error);
      if (isClosed) return;
      onFailure();
    }
    health.report();
  });

  const checkRepeatedly = async () => {
    await look();
    if (!isClosed) timer = setTimeout(() => (checking = checkRepeatedly()), CHECK_EVERY_MS).unref();
  };
  let checking = checkRepeatedly();

  const position = coalesceCalls(() => within(CHECK_TIMEOUT_MS, askPosition(primary)));

  return {
    position,
    look,
    async caughtUp() {
      if (health.fault() !== undefined) return;
      const mark = await position().catch(() => Infinity); // Infinity waits until the replica is skipped for its age
      await look();
      while (!isClosed && health.fault() === undefined && health.replayed() < mark) {
        await pause(50);
        await look();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await checking;
    },
  };
}
