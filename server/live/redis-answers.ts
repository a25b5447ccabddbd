import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createCircuit } from '#server/outside/circuit.ts';

/** Whether Redis answers, learned from its connection and from every call. */
export type RedisAnswers = {
  /** Runs a command; rejects at once while Redis is unavailable, and after `ANSWER_WITHIN_MS` without an answer. */
  within<T>(command: () => Promise<T>): Promise<T>;
  noteAway(error: unknown): void;
  /** Whether calls are currently attempted. */
  isUp(): boolean;
  /** The number of failed calls. */
  failures(): number;
  /** Losing the connection is expected from now on, and not logged. */
  close(): void;
};

/** After two timeouts the circuit opens and calls fail at once: nobody waits for Redis as long as a second. */
const ANSWER_WITHIN_MS = 300;
const FAILURES = 2;
const PAUSE_MS = 2_000;

/** Rejects when the time for an answer is over. */
function lateAnswer(signal: AbortSignal): Promise<never> {
  return wait(ANSWER_WITHIN_MS, undefined, { signal }).then(async () => {
    await new Promise(setImmediate); // the reply may have arrived while this process was busy
    throw new Error(`Redis did not answer within ${ANSWER_WITHIN_MS} ms`);
  });
}

/** Watches the connection of a client. Loss and return are each logged once. */
export function watchAnswers(
  client: Pick<EventEmitter, 'on'> & { readonly isReady: boolean },
  log: Logger,
): RedisAnswers {
  const circuit = createCircuit({ failures: FAILURES, pauseMs: PAUSE_MS, now: () => performance.now() });
  let failures = 0;
  let isAway = false;
  let isClosed = false;

  const noteAway = (error: unknown) => {
    if (!isAway && !isClosed) log.warn({ err: error }, 'Redis down: limits and announcements use the database');
    isAway = true;
  };
  const noteAnswer = () => {
    if (isAway) log.info('Redis up again');
    isAway = false;
    circuit.succeeded();
  };
  client.on('ready', noteAnswer);
  client.on('error', noteAway);

  return {
    async within(command) {
      if (!client.isReady || !circuit.admits()) throw new Error('Redis is away');
      const cancel = new AbortController();
      const tooLate = lateAnswer(cancel.signal);
      try {
        const answer = await Promise.race([command(), tooLate]);
        noteAnswer();
        return answer;
      } catch (error) {
        failures += 1;
        circuit.failed();
        noteAway(error);
        throw error;
      } finally {
        cancel.abort();
        tooLate.catch(() => {}); // aborted, or thrown above
      }
    },
    noteAway,
    isUp: () => client.isReady && circuit.isClosed(),
    failures: () => failures,
    close() {
      isClosed = true;
    },
  };
}
