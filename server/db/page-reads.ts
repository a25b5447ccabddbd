import { randomBytes } from 'node:crypto';
import { Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { type Db, nameStatement } from './client.ts';
import type { WatchedClient } from './connection.ts';
import { RetryingDialect } from './retry.ts';
import type { DB } from './schema.ts';

/** Names the requests that belong to one page. */
export const PAGE_HEADER = 'x-page-reads';

export type PageReads = {
  /** Opens a page: requests with these headers read together until it is closed. */
  open(): { headers: Record<string, string>; close(): void };
  /** The reads of the page to which a request belongs; undefined for requests of clients. */
  find(ticket: string | string[] | undefined, pool: Pool): Db | undefined;
};

/** Tickets cannot be guessed, so no client joins a page of another. */
export function createPageReads(): PageReads {
  const secret = randomBytes(18).toString('base64url');
  const pages = new Map<string, Map<Pool, Db>>();
  let opened = 0;
  return {
    open() {
      const ticket = `${secret}.${(opened += 1)}`;
      pages.set(ticket, new Map());
      return { headers: { [PAGE_HEADER]: ticket }, close: () => void pages.delete(ticket) };
    },
    find(ticket, pool) {
      const page = typeof ticket === 'string' ? pages.get(ticket) : undefined;
      if (!page) return undefined;
      const db = page.get(pool) ?? new Kysely<DB>({ dialect: new RetryingDialect({ pool: readTogether(pool) }) });
      page.set(pool, db);
      return db;
    },
  };
}

/** Pages send few different texts, again and again; other texts, as with filters, are not prepared. */
const PREPARED_AFTER = 20;
const MAX_TEXTS = 500;
const sent = new Map<string, number>();

/** Audited reads also write. */
const ONLY_READS = /^\s*(?:select|with)\b(?![^]*\b(?:insert|update|delete)\b)/i;

/**
 * Not prepared: all columns of a table, which a migration would change under the prepared form, and searches, whose best
 * plan depends on the words.
 */
const NEVER_PREPARED = /(?:^|\))\s*select\s+(?:"?\w+"?\.)?\*|\bsearch_|@@/i;
/** Each is kept by every connection that sends it. */
const MAX_PREPARED = 100;
let prepared = 0;

/** Has a text prepared once pages have sent it often, because most statements take longer to plan than to run. */
function prepareRepeated(text: string): void {
  const times = (sent.get(text) ?? 0) + 1;
  sent.set(text, times);
  if (times === PREPARED_AFTER && prepared < MAX_PREPARED && !NEVER_PREPARED.test(text)) {
    prepared += 1;
    nameStatement(text);
  }
  if (sent.size > MAX_TEXTS) sent.clear();
}

type Taken = PoolClient & WatchedClient; // the pool is created with this `Client` class

/**
 * A pool whose statements share one connection of `pool` while any of them runs. They are sent without waiting for
 * earlier answers, so that those of one moment take one round trip. A transaction gets a connection of its own.
 */
function readTogether(pool: Pool) {
  let taken: Promise<Taken> | undefined;
  let running = 0;
  const underWay = new Map<string, { values: unknown; answer: Promise<{ rows: unknown[] }> }>();

  const take = async () => {
    const client = (await pool.connect()) as Taken;
    client.isPipelined = true;
    client.gather();
    return client;
  };
  const giveBack = (from: Promise<Taken> | undefined) =>
    from?.then(
      (client) => {
        client.isPipelined = false;
        client.release();
      },
      () => {}, // the statements have failed with this error
    );

  /** Several calls of a page ask for the same access; the answer to one that is under way serves all. */
  async function query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    if (!ONLY_READS.test(text)) return await send(text, values);
    const same = underWay.get(text);
    if (same && JSON.stringify(same.values) === JSON.stringify(values)) {
      const answer = await same.answer;
      return { ...answer, rows: [...answer.rows] };
    }
    const answer = send(text, values);
    underWay.set(text, { values, answer });
    try {
      return await answer;
    } finally {
      if (underWay.get(text)?.answer === answer) underWay.delete(text);
    }
  }

  async function send(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    running += 1;
    prepareRepeated(text);
    try {
      const client = await (taken ??= take());
      return await client.query(text, values);
    } finally {
      running -= 1;
      if (running === 0) {
        void giveBack(taken);
        taken = undefined;
      }
    }
  }

  async function connect() {
    let own: PoolClient | undefined;
    return {
      async query(text: string, values: unknown[]) {
        if (!own && /^(begin|start transaction)\b/.test(text)) own = await pool.connect();
        return own ? await own.query(text, values) : await query(text, values);
      },
      release: () => own?.release(),
    };
  }
  return { connect, end: async () => {} } as unknown as Pool; // Kysely uses only these, with a text and its values
}
