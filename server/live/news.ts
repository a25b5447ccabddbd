import { sql } from 'kysely';
import type { Logger } from 'pino';
import { announce } from '#server/db/announce.ts';
import { type Db, newId } from '#server/db/client.ts';

/** Whom and which communities something new is about. A hint: who hears it reads again. */
export type Hint = { people: string[]; communities: string[] };

export type News = {
  /** Something was written and committed: what is new is looked up, and told to all nodes, a little later. */
  touch(): void;
  /** What a person sees changed by their own doing. */
  tell(userId: string): void;
  /** Passes on what a node announced. */
  hear(payload: string): void;
  subscribe(listener: (hint: Hint) => void): () => void;
  close(): Promise<void>;
};

const PAUSE_MS = 250;
/** A transaction that began so long before the last look may have been committed after it. */
const OVERLAP_MS = 2_000;
const MOST_MS = 15_000;
/** A payload holds 8000 bytes. */
const IDS_A_PAYLOAD = 150;

type Change = { key: string; kind: keyof Hint; id: string };

/** A node of another version may announce in another form, of which the rest is nothing to us. */
function readHint(payload: string): Hint {
  const idsIn = (value: unknown) => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []);
  try {
    const { people, communities } = JSON.parse(payload) as Partial<Record<keyof Hint, unknown>>; // only looked at
    return { people: idsIn(people), communities: idsIn(communities) };
  } catch {
    return { people: [], communities: [] };
  }
}

/**
 * Announces what is new to all nodes. Not in the transactions that write, which NOTIFY would make commit one after
 * another: the process that wrote looks, at most four times a second, which notifications and posts are young.
 */
export function createNews(db: Db, log: Logger): News {
  const listeners = new Set<(hint: Hint) => void>();
  const told = new Map<string, number>();
  const people = new Set<string>();
  let isTouched = false;
  let lookedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const findYoung = async (windowMs: number): Promise<Change[]> => {
    const { rows } = await sql<Change>`
      select id || ' ' || updated_at as key, 'people' as kind, user_id as id from notifications
      where updated_at > now() - make_interval(secs => ${windowMs / 1000})
      union all
      select id::text, 'communities', community_id from activities
      where id > ${newId(new Date(Date.now() - windowMs))}::uuid and community_id is not null`.execute(db);
    return rows;
  };

  const flush = async () => {
    const startedAt = performance.now();
    const changed: { [K in keyof Hint]: Set<string> } = { people: new Set(people), communities: new Set() };
    people.clear();
    if (isTouched) {
      isTouched = false;
      const windowMs = Math.min(startedAt - lookedAt + OVERLAP_MS, MOST_MS);
      lookedAt = startedAt;
      for (const { key, kind, id } of await findYoung(windowMs)) {
        if (!told.has(key)) changed[kind].add(id);
        told.set(key, startedAt);
      }
      for (const [key, at] of told) if (startedAt - at > MOST_MS) told.delete(key);
    }
    const ids = [
      ...[...changed.people].map((id) => ({ kind: 'people' as const, id })),
      ...[...changed.communities].map((id) => ({ kind: 'communities' as const, id })),
    ];
    for (let at = 0; at < ids.length; at += IDS_A_PAYLOAD) {
      const hint: Hint = { people: [], communities: [] };
      for (const { kind, id } of ids.slice(at, at + IDS_A_PAYLOAD)) hint[kind].push(id);
      await announce(db, 'officium_news', JSON.stringify(hint));
    }
  };

  const flushSafely = async () => {
    timer = undefined;
    flushing = flush().catch((error: unknown) => log.warn({ err: error }, 'announcement of news failed'));
    await flushing;
  };

  const schedule = () => {
    if (isClosed || timer) return;
    timer = setTimeout(() => void flushSafely(), PAUSE_MS);
    timer.unref();
  };

  return {
    touch() {
      isTouched = true;
      schedule();
    },
    tell(userId) {
      people.add(userId);
      schedule();
    },
    hear(payload) {
      for (const listener of listeners) listener(readHint(payload));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      const isWaiting = timer !== undefined;
      clearTimeout(timer);
      await flushing;
      if (isWaiting) await flushSafely();
    },
  };
}
