import type { Pool } from 'pg';
import type { Db } from './client.ts';

/** Reads of the same pool share rounds; a transaction sees its own rows, so it shares only with itself. */
export type Reader = { db: Db; pool: Pool };

type Round<Answer> = { ids: Set<string>; answer: Promise<Answer>; next?: Round<Answer> };

/**
 * Coalesces concurrent reads of one key, each caller with an id of its own. Callers that arrive during a read share the
 * next one, which begins after it, so that nobody gets data older than the call. An error of a round rejects all its
 * callers.
 */
export function coalesced<About extends { key: string }, Answer>(
  ask: (db: Db, about: About, ids: string[]) => Promise<Answer>,
): (reader: Reader, about: About, id: string) => Promise<Answer> {
  const ofSources = new WeakMap<object, Map<string, Round<Answer>>>();

  return ({ db, pool }, about, id) => {
    const { key } = about;
    const source = db.isTransaction ? db : pool;
    const rounds = ofSources.get(source) ?? new Map<string, Round<Answer>>();
    ofSources.set(source, rounds);
    const underWay = rounds.get(key);
    if (underWay?.next) {
      underWay.next.ids.add(id);
      return underWay.next.answer;
    }
    const round = { ids: new Set([id]) } as Round<Answer>; // its answer is set below
    const begin = async () => {
      rounds.set(key, round);
      try {
        return await ask(db, about, [...round.ids]);
      } finally {
        if (!round.next) rounds.delete(key);
      }
    };
    if (underWay) underWay.next = round;
    round.answer = underWay ? underWay.answer.then(begin, begin) : begin();
    return round.answer;
  };
}
