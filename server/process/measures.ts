import type { Worker } from 'node:cluster';
import type { ToMember, ToSupervisor } from './family.ts';

/** Whoever has not answered by then is left out. */
const ANSWER_WITHIN_MS = 2_000;

type Asked = { waiting: Set<Worker>; all: unknown[]; finish(): void };

/** The supervisor's part: asks all for what they measured when one wants to know, and gives it what came. */
export function relayMeasures(
  members: ReadonlySet<Worker>,
): (from: Worker, message: Extract<ToSupervisor, { kind: 'measure' | 'measured' }>) => void {
  const asked = new Map<number, Asked>();
  let lastId = 0;
  const ask = (from: Worker, askersId: number) => {
    const id = ++lastId;
    const late = setTimeout(() => asked.get(id)?.finish(), ANSWER_WITHIN_MS);
    const all: unknown[] = [];
    asked.set(id, {
      waiting: new Set(members),
      all,
      finish() {
        clearTimeout(late);
        asked.delete(id);
        if (from.isConnected()) from.send({ kind: 'measured', id: askersId, all } satisfies ToMember);
      },
    });
    for (const member of members) member.send({ kind: 'measure', id } satisfies ToMember);
  };
  return (from, message) => {
    if (message.kind === 'measure') return ask(from, message.id);
    const question = asked.get(message.id);
    if (!question?.waiting.delete(from)) return;
    if (message.own !== null) question.all.push(message.own);
    if (question.waiting.size === 0) question.finish();
  };
}

export type Measures = {
  /** What every process of this machine measured; of this one alone when there is no other. */
  all(): Promise<unknown[]>;
  hear(message: Extract<ToMember, { kind: 'measure' | 'measured' }>): void;
};

/** A member's part. `measure` gives what it measured itself. */
export function askMeasures(send: (message: ToSupervisor) => void, measure: () => Promise<unknown>): Measures {
  const waiting = new Map<number, (all: unknown[] | Promise<unknown[]>) => void>();
  let lastId = 0;
  return {
    async all() {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<unknown[]>();
      // A supervisor that does not answer is about to end us.
      const late = setTimeout(() => resolve(measure().then((own) => [own])), 2 * ANSWER_WITHIN_MS);
      waiting.set(id, resolve);
      send({ kind: 'measure', id });
      const all = await promise;
      clearTimeout(late);
      waiting.delete(id);
      return all;
    },
    hear(message) {
      if (message.kind === 'measured') waiting.get(message.id)?.(message.all);
      else
        void measure()
          .catch(() => null) // whoever asks it directly is told why
          .then((own) => send({ kind: 'measured', id: message.id, own: own ?? null }));
    },
  };
}
