import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Database, type Db, openDatabase, type Opening } from './client.ts';

/** How far the log of the primary was written or replayed, in bytes; what `pg_lsn` says, as a number. */
export type Position = number;

export type ReplicaStanding = {
  /** Why reads go to the primary; undefined while the replica is read. */
  fault: string | undefined;
  lagBytes: number;
  /** Reads since the process began: by the replica, by the primary for want of it, and by the primary after it. */
  reads: { replica: number; primary: number; again: number };
};

export type Replica = {
  reader: Pick<Database, 'db' | 'pool'>;
  /** Whether it may be read by somebody who wrote up to `mark`. Counts as a read. */
  mayAnswer(mark: Position): boolean;
  /** A read it did not answer goes to the primary. When it cannot be reached, it is not read until it is looked at again. */
  noteFailure(error: unknown): void;
  /** How far the primary has written, after all that was committed before the call. */
  position(): Promise<Position>;
  /** Looks how it stands; done every second. */
  look(): Promise<void>;
  /** Waits until it has replayed what is committed now, or is not read any more. */
  caughtUp(): Promise<void>;
  standing(): ReplicaStanding;
  close(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
/** As long as a session is believed: what was taken from somebody must not be seen for longer. */
const MAX_AGE_MS = 4_000;
/** For an answer of the replica to how it stands, and for a connection to it. */
const PATIENCE_MS = 2_000;

const READ_ONLY = '25006';

function codeOf(error: unknown): string | undefined {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown }; // only read
  return typeof code === 'string' ? code : undefined;
}

/** SQLSTATEs of a server that is lost, ends, is not ready or full; sockets have codes of their own, and pg's own errors none. */
function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined
    ? error instanceof Error && /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
    : /^(08|53|57P)|^E[A-Z]{3}/.test(code);
}

/** What many ask for at once is asked once: who comes while a question is under way waits for the next. */
export function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () =>
    (next ??= underWay.then(() => {
      next = undefined;
      const asked = ask();
      underWay = asked.catch(() => {}); // whoever asked is told
      return asked;
    }));
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const clock = new AbortController();
  const late = pause(timeoutMs, undefined, { signal: clock.signal }).then(() => {
    throw new Error(`no answer in ${timeoutMs} ms`);
  });
  late.catch(() => {}); // aborted, once the work was faster
  return await Promise.race([work, late]).finally(() => clock.abort());
}

/** At the end of a page the primary counts the header of the next, which a replica has not seen before the next record. */
const PAGE_BYTES = 8192;
const HEADER_BYTES = 24;

async function askPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ position: Position }>`
    select (pg_current_wal_insert_lsn() - '0/0')::int8 as position`.execute(db);
  const { position } = rows[0]!; // a function of one row
  return position % PAGE_BYTES === HEADER_BYTES ? position - HEADER_BYTES : position;
}

async function askSystem(db: Db): Promise<string> {
  const { rows } = await sql<{ system: string }>`
    select system_identifier::text as system from pg_control_system()`.execute(db);
  return rows[0]!.system; // a function of one row
}

async function askReplica(db: Db): Promise<{ position: Position | null; system: string }> {
  const { rows } = await sql<{ position: Position | null; system: string }>`
    select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::int8 end as position,
           system_identifier::text as system
    from pg_control_system()`.execute(db);
  return rows[0]!; // a function of one row
}

/**
 * A streaming replica for reads. It is read while it answers, is in recovery, follows our primary and has replayed all
 * that was written until four seconds ago; its age is told from positions of the primary seen here, by no clock but ours.
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
  let fault: string | undefined = 'not looked at yet';
  // Who answers at this address now may be another: what is known of the one before does not hold.
  const onError = () => void (fault ??= 'it lost a connection');
  const open = (max: number | undefined) =>
    openDatabase(url, { ...opening, max, connectionTimeoutMs: PATIENCE_MS, onError });
  const reader = open(opening.max);
  // Of its own: a pool that is busy is no reason to give it up.
  const probe = open(1);
  const reads = { replica: 0, primary: 0, again: 0 };
  /** Where the primary was lately, the oldest first. */
  let written: { position: Position; at: number }[] = [];
  let replayed: Position = -1;
  /** The replica has all that was written until then. */
  let completeUntil = -Infinity;
  let told: string | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const faultNow = () => fault ?? (now() - completeUntil > MAX_AGE_MS ? 'it lags behind' : undefined);

  const compare = (primaryIs: { position: Position; system: string }, at: number) => {
    return (replicaIs: { position: Position | null; system: string }) => {
      if (replicaIs.position === null) throw new Error('it is no replica, or not one any more');
      if (replicaIs.system !== primaryIs.system) throw new Error('it follows another primary');
      const isAhead = replayed > primaryIs.position;
      written = [...written.filter((seen) => at - seen.at <= 2 * MAX_AGE_MS), { position: primaryIs.position, at }];
      replayed = replicaIs.position;
      if (isAhead) throw new Error('it has what the primary has not');
      completeUntil = written.findLast(({ position }) => position <= replayed)?.at ?? completeUntil;
    };
  };

  const look = together(async () => {
    const at = now();
    const asking = Promise.all([askPosition(primary), askSystem(primary)]);
    const primaryIs = await asking.then(
      ([position, system]) => ({ position, system }),
      () => undefined,
    );
    if (!primaryIs || isClosed) return; // says nothing of the replica, which is too old soon
    try {
      await within(PATIENCE_MS, askReplica(probe.db)).then(compare(primaryIs, at));
      fault = undefined;
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      if (isClosed) return;
      reader.cut();
      probe.cut();
    }
    const found = faultNow();
    if (found !== undefined && told === undefined) log.warn({ reason: found }, 'replica skipped');
    if (found === undefined && told !== undefined) log.info('replica in use again');
    told = found;
  });

  const lookOn = async () => {
    await look();
    if (!isClosed) timer = setTimeout(() => (looking = lookOn()), LOOK_EVERY_MS).unref();
  };
  let looking = lookOn();

  const position = together(() => within(PATIENCE_MS, askPosition(primary)));

  return {
    reader,
    mayAnswer(mark) {
      const may = faultNow() === undefined && replayed >= mark;
      reads[may ? 'replica' : 'primary'] += 1;
      return may;
    },
    noteFailure(error) {
      reads.again += 1;
      if (isUnreachable(error)) fault ??= String(error);
      if (codeOf(error) === READ_ONLY) log.error({ err: error }, 'read-only request attempted a write');
    },
    position,
    look,
    async caughtUp() {
      if (faultNow() !== undefined) return;
      const mark = await position().catch(() => Infinity); // then waits until it is given up for its age
      await look();
      while (!isClosed && faultNow() === undefined && replayed < mark) {
        await pause(50);
        await look();
      }
    },
    standing: () => ({
      fault: faultNow(),
      lagBytes: Math.max(0, (written.at(-1)?.position ?? replayed) - replayed),
      reads: { ...reads },
    }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await reader.close();
      await probe.close();
    },
  };
}
