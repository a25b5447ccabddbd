import type { Logger } from 'pino';
import type { Position } from './log-position.ts';

/** Equals the time that a session is cached, because a withdrawn right must not last longer. */
const MAX_AGE_MS = 4_000;

/** The state of a replica: its position in the primary's log, and why it is skipped. */
export type ReplicaHealth = {
  /** The reason why reads go to the primary; undefined while the replica is used. */
  fault(): string | undefined;
  /** Skips the replica until the next check. */
  suspect(reason: string): void;
  /** Compares the answers to a check that began at `at`; throws unless the replica follows this primary. */
  compare(
    at: number,
    primaryIs: { position: Position; system: string },
    replicaIs: { position: Position | null; system: string },
  ): void;
  /** The check failed. */
  fail(error: unknown): void;
  /** Logs when the replica is skipped and when it is used again. */
  report(): void;
  replayed(): Position;
  lagBytes(): number;
};

/** The age of a replica is derived from the primary's positions seen here, by our clock only. */
export function createReplicaHealth(log: Logger, now: () => number): ReplicaHealth {
  let fault: string | undefined = 'not checked yet';
  let loggedFault: string | undefined;
  /** The recent positions of the primary, oldest first. */
  let written: { position: Position; at: number }[] = [];
  let replayed: Position = -1;
  /** The replica has everything written until this time. */
  let completeUntil = -Infinity;

  const faultNow = () => fault ?? (now() - completeUntil > MAX_AGE_MS ? 'it lags behind' : undefined);

  return {
    fault: faultNow,
    suspect(reason) {
      fault ??= reason;
    },
    compare(at, primaryIs, replicaIs) {
      if (replicaIs.position === null) throw new Error('it is not a replica (any more)');
      if (replicaIs.system !== primaryIs.system) throw new Error('it follows another primary');
      const isAhead = replayed > primaryIs.position;
      written = [...written.filter((seen) => at - seen.at <= 2 * MAX_AGE_MS), { position: primaryIs.position, at }];
      replayed = replicaIs.position;
      if (isAhead) throw new Error('it is ahead of the primary');
      completeUntil = written.findLast(({ position }) => position <= replayed)?.at ?? completeUntil;
      fault = undefined;
    },
    fail(error) {
      fault = error instanceof Error ? error.message : String(error);
    },
    report() {
      const found = faultNow();
      if (found !== undefined && loggedFault === undefined) log.warn({ reason: found }, 'replica skipped');
      if (found === undefined && loggedFault !== undefined) log.info('replica in use again');
      loggedFault = found;
    },
    replayed: () => replayed,
    lagBytes: () => Math.max(0, (written.at(-1)?.position ?? replayed) - replayed),
  };
}
