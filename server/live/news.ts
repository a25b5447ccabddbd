import { sql } from 'kysely';
import type { Logger } from 'pino';
import { announce } from '#server/db/announce.ts';
import { type Db, newId } from '#server/db/client.ts';

/** The users and communities a change concerns. A hint: subscribers read again. */
export type Hint = { people: string[]; communities: string[] };

export type News = {
  /** Records a committed write; changes are looked up and announced to all nodes a little later. */
  touch(): void;
  /** Announces that a user's own action changed their view. */
  tell(userId: string): void;
  /** Passes on an announcement of a node. */
  receive(payload: string): void;
  subscribe(listener: (hint: Hint) => void): () => void;
  close(): Promise<void>;
};

const PAUSE_MS = 250;
/** A transaction that began this long before the last lookup may have committed after it. */
const OVERLAP_MS = 2_000;
const LONGEST_WINDOW_MS = 15_000;
/** A NOTIFY payload holds 8000 bytes. */
const IDS_PER_PAYLOAD = 150;

type Change = { key: string; kind: keyof Hint; id: string };

/** Nodes on other versions may send other fields; unknown ones are ignored. */
function readHint(payload: string): Hint {
  const idsIn = (value: unknown) => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []);
  try {
    const { people, communities } = JSON.parse(payload) as Partial<Record<keyof Hint, unknown>>; // every field is checked below
    return { people: idsIn(people), communities: idsIn(communities) };
  } catch {
    return { people: [], communities: [] };
  }
}

async function findRecent(db: Db, windowMs: number): Promise<Change[]> {
  const posts = db
    .selectFrom('activities')
    .select((eb) => [
      eb.cast<string>('id', 'text').as('key'),
      sql<keyof Hint>`'communities'`.as('kind'),
      'community_id as id',
    ])
    .where('id', '>', newId(new Date(Date.now() - windowMs)))
    .where('community_id', 'is not', null)
    .$narrowType<{ id: string }>();
  return await db
    .selectFrom('notifications')
    .select(({ ref }) => [
      sql<string>`${ref('id')} || ' ' || ${ref('updated_at')}`.as('key'),
      sql<keyof Hint>`'people'`.as('kind'),
      'user_id as id',
    ])
    .where('updated_at', '>', sql<Date>`now() - make_interval(secs => ${windowMs / 1000})`)
    .unionAll(posts)
    .execute();
}

/** Announces what changed in as few payloads as it fits. */
async function announceChanged(db: Db, changed: { [K in keyof Hint]: Set<string> }): Promise<void> {
  const ids = [
    ...[...changed.people].map((id) => ({ kind: 'people' as const, id })),
    ...[...changed.communities].map((id) => ({ kind: 'communities' as const, id })),
  ];
  for (let at = 0; at < ids.length; at += IDS_PER_PAYLOAD) {
    const hint: Hint = { people: [], communities: [] };
    for (const { kind, id } of ids.slice(at, at + IDS_PER_PAYLOAD)) hint[kind].push(id);
    await announce(db, 'officium_news', JSON.stringify(hint));
  }
}

/**
 * Announces changes to all nodes. NOTIFY in the writing transactions would serialise their commits, so the process that
 * wrote looks up recent notifications and posts, at most four times a second.
 */
export function createNews(db: Db, log: Logger): News {
  const listeners = new Set<(hint: Hint) => void>();
  const announced = new Map<string, number>();
  const people = new Set<string>();
  let hasWrites = false;
  let readAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const flush = async () => {
    const startedAt = performance.now();
    const changed: { [K in keyof Hint]: Set<string> } = { people: new Set(people), communities: new Set() };
    people.clear();
    if (hasWrites) {
      hasWrites = false;
      const windowMs = Math.min(startedAt - readAt + OVERLAP_MS, LONGEST_WINDOW_MS);
      readAt = startedAt;
      for (const { key, kind, id } of await findRecent(db, windowMs)) {
        if (!announced.has(key)) changed[kind].add(id);
        announced.set(key, startedAt);
      }
      for (const [key, at] of announced) if (startedAt - at > LONGEST_WINDOW_MS) announced.delete(key);
    }
    await announceChanged(db, changed);
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
      hasWrites = true;
      schedule();
    },
    tell(userId) {
      people.add(userId);
      schedule();
    },
    receive(payload) {
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
