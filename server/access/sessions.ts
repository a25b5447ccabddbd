import { hash as digest, randomBytes } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import { announce } from '../db/announce.ts';
import { newId, type Db } from '../db/client.ts';
import { RECENT_MINUTES } from './recent.ts';
import type { TokenPermissions, UserViewer } from './viewer.ts';

export const IDLE_HOURS = 12;
const ABSOLUTE_DAYS = 30;
/** How long a session is believed without asking; other nodes are told at once, and this bounds it if they are not. */
const FRESH_MS = 4_000;
const MAX_CACHED = 10_000;

export function hashToken(token: string): Buffer {
  return digest('sha256', token, 'buffer');
}

/** 256 random bits, as they stand in cookies and links. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export type NewSession = {
  userId: string;
  limited?: boolean;
  permissions?: TokenPermissions | null;
  userAgent?: string;
  address?: string;
  /** Instead of the usual 30 days. */
  expiresAt?: Date;
  /** When its holder last proved who they are, instead of now; null for one who never did, such as of a minted session. */
  authenticatedAt?: Date | null;
};

export type SessionStore = {
  /**
   * The account behind a cookie, or undefined when the session is unknown, idle for 12 hours or over. `isAsked: false`:
   * nobody does anything, so that it does not keep the session from being idle.
   */
  find(token: string, options?: { isAsked?: boolean }): Promise<UserViewer | undefined>;
  /** Forget what is remembered of a person; called when a node says that their sessions changed. */
  forget(userId: string): void;
  /** Forget all; called when what a node said may have been missed. */
  forgetAll(): void;
};

type Cached = { viewer: UserViewer; until: number };

/** Sessions as this node remembers them, for a few seconds each. */
export function createSessionStore(db: Db): SessionStore {
  const cache = new Map<string, Cached>();
  let forgotten = 0;

  return {
    async find(token, { isAsked = true } = {}) {
      const hash = hashToken(token);
      const key = hash.toString('base64');
      const known = cache.get(key);
      if (known && known.until > performance.now()) return known.viewer;
      cache.delete(key);
      const before = forgotten;
      const asked = performance.now();
      const read = await readSession(db, hash, isAsked);
      // What was read before a session ended must not be remembered after it did.
      if (!read || forgotten !== before) return read?.viewer;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, { viewer: read.viewer, until: asked + Math.min(FRESH_MS, read.leftMs) });
      return read.viewer;
    },
    forget(userId) {
      forgotten += 1;
      for (const [key, { viewer }] of cache) if (viewer.id === userId) cache.delete(key);
    },
    forgetAll() {
      forgotten += 1;
      cache.clear();
    },
  };
}

type Read = { viewer: UserViewer; leftMs: number };

/** SQLSTATEs of a database that can be read and takes no writes: its disk is full, say. */
const TAKES_NO_WRITES = /^(53|25006$)/;

/** Whoever only reads is served also while nothing can be written. */
async function writeIfPossible(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(db).catch((error: unknown) => {
    const { code } = error as { code?: unknown }; // PostgreSQL's errors have one
    if (!TAKES_NO_WRITES.test(String(code))) throw error;
  });
}

async function readSession(db: Db, hash: Buffer, isAsked: boolean): Promise<Read | undefined> {
  const { rows } = await sql<{
    id: string;
    user_id: string;
    limited: boolean;
    permissions: TokenPermissions | null;
    recent_ms: number;
    second_factor: boolean;
    stale: boolean;
    role: UserViewer['role'];
    name: string;
    email: string;
    locale: Locale;
    locale_chosen: boolean;
    image_thumbnail: string | null;
    proven: boolean;
    left_ms: number;
    is_over: boolean;
  }>`
    select s.id, s.user_id, s.limited, s.permissions, u.second_factor,
           extract(epoch from s.authenticated_at + make_interval(mins => ${RECENT_MINUTES}) - now())::float8 * 1000 as recent_ms,
           s.last_seen_at < now() - interval '5 minutes' as stale,
           u.role, u.name, u.email, u.locale, u.locale_chosen, u.image_thumbnail, u.email_proven_at is not null as proven,
           extract(epoch from s.expires_at - now())::float8 * 1000 as left_ms,
           s.expires_at <= now() or s.last_seen_at <= now() - make_interval(hours => ${IDLE_HOURS}) as is_over
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hash} and u.erased_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  if (row.is_over) {
    // Gone for good: the clock of the database may be set back.
    await writeIfPossible(db, sql`delete from sessions where token_hash = ${hash}`);
    return undefined;
  }
  if (row.stale && isAsked)
    await writeIfPossible(db, sql`update sessions set last_seen_at = now() where token_hash = ${hash}`);
  const viewer: UserViewer = {
    kind: 'user',
    id: row.user_id,
    role: row.role,
    name: row.name,
    email: row.email,
    locale: row.locale,
    localeChosen: row.locale_chosen,
    thumbnail: row.image_thumbnail,
    limited: row.limited || !row.proven,
    permissions: row.permissions,
    sessionId: row.id,
    recentUntilMs: performance.now() + row.recent_ms,
    hasSecondFactor: row.second_factor,
  };
  return { viewer, leftMs: row.left_ms };
}

/** Opens a session and answers the token for the cookie; only its hash is stored. */
export async function openSession(db: Db, session: NewSession): Promise<string> {
  const token = newToken();
  await sql`
    insert into sessions (token_hash, id, user_id, limited, permissions, user_agent, address, authenticated_at,
      expires_at)
    values (${hashToken(token)}, ${newId()}, ${session.userId}, ${session.limited ?? false},
            ${session.permissions ? JSON.stringify(session.permissions) : null}, ${session.userAgent?.slice(0, 300) ?? null},
            ${session.address ?? null},
            ${session.authenticatedAt === undefined ? sql`now()` : sql`coalesce(${session.authenticatedAt}::timestamptz, 'epoch')`},
            least(coalesce(${session.expiresAt ?? null}::timestamptz, 'infinity'), now() + make_interval(days => ${ABSOLUTE_DAYS})))`.execute(
    db,
  );
  return token;
}

/** Tells every node that a person's sessions or rights changed; it is heard when the transaction commits. */
export async function announceSessionChange(db: Db, userId: string): Promise<void> {
  await announce(db, 'officium_sessions', userId);
}

/** Ends a person's sessions, all of them or all but one. */
export async function endSessions(db: Db, userId: string, exceptSessionId?: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id is distinct from ${exceptSessionId ?? null}::uuid`.execute(
    db,
  );
  await announceSessionChange(db, userId);
}

/** Ends one session. */
export async function endSession(db: Db, session: { userId: string; sessionId: string }): Promise<void> {
  await sql`delete from sessions where id = ${session.sessionId} and user_id = ${session.userId}`.execute(db);
  await announceSessionChange(db, session.userId);
}

/** Notes that the holder of a session has just proven who they are. */
export async function renewAuthentication(db: Db, session: { userId: string; sessionId: string }): Promise<void> {
  await sql`update sessions set authenticated_at = now() where id = ${session.sessionId} and user_id = ${session.userId}`.execute(
    db,
  );
  await announceSessionChange(db, session.userId);
}

/** What a session hands on to the one that takes its place; undefined when it is over. */
export async function getSuccession(
  db: Db,
  sessionId: string,
): Promise<{ authenticatedAt: Date; expiresAt: Date; leftSeconds: number } | undefined> {
  const { rows } = await sql<{ authenticated_at: Date; expires_at: Date; left_seconds: number }>`
    select authenticated_at, expires_at, extract(epoch from expires_at - now())::float8 as left_seconds
    from sessions where id = ${sessionId} and expires_at > now()`.execute(db);
  const row = rows[0];
  return row && { authenticatedAt: row.authenticated_at, expiresAt: row.expires_at, leftSeconds: row.left_seconds };
}
