import type { Worker } from 'node:cluster';
import type { ToWorker, ToSupervisor } from './messages.ts';

/** Processes that have not answered by then are left out. */
const ANSWER_WITHIN_MS = 2_000;

type Asked = { waiting: Set<Worker>; all: unknown[]; finish(): void };

/** The supervisor's part: collects the measurements of all processes for the one that asked. */
export function relayMetrics(
  workers: ReadonlySet<Worker>,
): (from: Worker, message: Extract<ToSupervisor, { kind: 'measure' | 'measured' }>) => void {
  const asked = new Map<number, Asked>();
  let lastId = 0;
  const ask = (from: Worker, askersId: number) => {
    const id = ++lastId;
    const late = setTimeout(() => asked.get(id)?.finish(), ANSWER_WITHIN_MS);
    const all: unknown[] = [];
    asked.set(id, {
      waiting: new Set(workers),
      all,
      finish() {
        clearTimeout(late);
        asked.delete(id);
        if (from.isConnected()) from.send({ kind: 'measured', id: askersId, all } satisfies ToWorker);
      },
    });
    for (const worker of workers) worker.send({ kind: 'measure', id } satisfies ToWorker);
  };
  return (from, message) => {
    if (message.kind === 'measure') return ask(from, message.id);
    const question = asked.get(message.id);
    if (!question?.waiting.delete(from)) return;
    if (message.own !== null) question.all.push(message.own);
    if (question.waiting.size === 0) question.finish();
  };
}

export type MetricsRelay = {
  /** The measurements of every process of this machine; only this one's when it runs alone. */
  all(): Promise<unknown[]>;
  receive(message: Extract<ToWorker, { kind: 'measure' | 'measured' }>): void;
};

/** A worker's part. `measure` returns its own measurements. */
export function openMetricsRelay(send: (message: ToSupervisor) => void, measure: () => Promise<unknown>): MetricsRelay {
  const waiting = new Map<number, (all: unknown[] | Promise<unknown[]>) => void>();
  let lastId = 0;
  return {
    async all() {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<unknown[]>();
      // A supervisor that does not answer is about to stop this process.
      const late = setTimeout(() => resolve(measure().then((own) => [own])), 2 * ANSWER_WITHIN_MS);
      waiting.set(id, resolve);
      send({ kind: 'measure', id });
      const all = await promise;
      clearTimeout(late);
      waiting.delete(id);
      return all;
    },
    receive(message) {
      if (message.kind === 'measured') waiting.get(message.id)?.(message.all);
      else
        void measure()
          .catch(() => null) // a direct request reports the reason
          .then((own) => send({ kind: 'measured', id: message.id, own: own ?? null }));
    },
  };
}
