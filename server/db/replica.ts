import type { Logger } from 'pino';
import { type Database, type Db, openDatabase, type Opening } from './client.ts';
import type { Position } from './log-position.ts';
import { createReplicaHealth } from './replica-health.ts';
import { CHECK_TIMEOUT_MS, watchReplica } from './replica-watch.ts';

export type ReplicaStatus = {
  /** The reason why reads go to the primary; undefined while the replica is used. */
  fault: string | undefined;
  lagBytes: number;
  /**
   * Reads since the process started: served by the replica, by the primary instead, and by the primary after a failure
   * of the replica.
   */
  reads: { replica: number; primary: number; again: number };
};

export type Replica = {
  reader: Pick<Database, 'db' | 'pool'>;
  /** Whether the replica may serve a viewer who wrote up to `mark`. Counts as a read. */
  mayAnswer(mark: Position): boolean;
  /** Records a read that goes to the primary after all. An unreachable replica is skipped until the next check. */
  noteFailure(error: unknown): void;
  /** The primary's position, after every commit before the call. */
  position(): Promise<Position>;
  /** Checks the replica; called every second. */
  look(): Promise<void>;
  /** Waits until the replica has replayed every current commit, or is skipped. */
  caughtUp(): Promise<void>;
  status(): ReplicaStatus;
  close(): Promise<void>;
};

const READ_ONLY = '25006';

function codeOf(error: unknown): string | undefined {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown }; // only read
  return typeof code === 'string' ? code : undefined;
}

/**
 * SQLSTATEs of a server that is lost, stopping, not ready or full; sockets have codes of their own, and pg's own errors
 * none.
 */
function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined
    ? error instanceof Error && /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
    : /^(08|53|57P)|^E[A-Z]{3}/.test(code);
}

/**
 * A streaming replica for reads. It is used while it answers, is in recovery, follows our primary and has replayed
 * everything written until four seconds ago. Its age is derived from the primary's positions seen here, by our clock
 * only.
 */
export function openReplica(
  url: string,
  {
    primary,
    log,
    now = () => performance.now(),
    ...opening
  }: Omit<Opening, 'onError'> & {
    primary: Db;
    log: Logger;
    now?: () => number;
  },
): Replica {
  const health = createReplicaHealth(log, now);
  // Another server may answer at this address now, so the last check no longer holds.
  const onError = () => health.suspect('it closed a connection');
  const open = (max: number | undefined) =>
    openDatabase(url, { ...opening, max, connectionTimeoutMs: CHECK_TIMEOUT_MS, onError });
  const reader = open(opening.max);
  // A pool of its own: a busy pool must not make the replica look unreachable.
  const probe = open(1);
  const onFailure = () => {
    reader.cut();
    probe.cut();
  };
  const watch = watchReplica({ primary, probe: probe.db, onFailure }, health, now);
  const reads = { replica: 0, primary: 0, again: 0 };

  return {
    reader,
    mayAnswer(mark) {
      const may = health.fault() === undefined && health.replayed() >= mark;
      reads[may ? 'replica' : 'primary'] += 1;
      return may;
    },
    noteFailure(error) {
      reads.again += 1;
      if (isUnreachable(error)) health.suspect(String(error));
      if (codeOf(error) === READ_ONLY) log.error({ err: error }, 'read-only request attempted a write');
    },
    position: watch.position,
    look: watch.look,
    caughtUp: watch.caughtUp,
    status: () => ({ fault: health.fault(), lagBytes: health.lagBytes(), reads: { ...reads } }),
    async close() {
      await watch.close();
      await reader.close();
      await probe.close();
    },
  };
}
