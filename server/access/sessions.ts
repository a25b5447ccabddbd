import { createHash, randomBytes } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { newId, type Db } from '../db/client.ts';
import type { TokenPermissions, UserViewer } from './viewer.ts';

export const IDLE_HOURS = 12;
const ABSOLUTE_DAYS = 30;
/** How long a session is believed without asking; other nodes are told at once, and this bounds it if they are not. */
const FRESH_MS = 4_000;
const MAX_CACHED = 10_000;

export const SESSION_CHANNEL = 'officium_sessions';

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
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
};

export type SessionStore = {
  /**
   * The account behind a cookie, or undefined when the session is unknown, idle for 12 hours or over. `isAsked: false`:
   * nobody does anything, so that it does not keep the session from being idle.
   */
  find(token: string, options?: { isAsked?: boolean }): Promise<UserViewer | undefined>;
  /** Forget what is remembered of a person; called when a node says that their sessions changed. */
  forget(userId: string): void;
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
      const viewer = await readSession(db, hash, isAsked);
      // What was read before a session ended must not be remembered after it did.
      if (!viewer || forgotten !== before) return viewer;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, { viewer, until: performance.now() + FRESH_MS });
      return viewer;
    },
    forget(userId) {
      forgotten += 1;
      for (const [key, { viewer }] of cache) if (viewer.id === userId) cache.delete(key);
    },
  };
}

async function readSession(db: Db, hash: Buffer, isAsked: boolean): Promise<UserViewer | undefined> {
  const { rows } = await sql<{
    id: string;
    user_id: string;
    limited: boolean;
    permissions: TokenPermissions | null;
    authenticated_at: Date;
    stale: boolean;
    role: UserViewer['role'];
    name: string;
    email: string;
    locale: Locale;
    locale_chosen: boolean;
    image_thumbnail: string | null;
    proven: boolean;
  }>`
    select s.id, s.user_id, s.limited, s.permissions, s.authenticated_at,
           s.last_seen_at < now() - interval '5 minutes' as stale,
           u.role, u.name, u.email, u.locale, u.locale_chosen, u.image_thumbnail, u.email_proven_at is not null as proven
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hash} and s.expires_at > now() and u.erased_at is null
      and s.last_seen_at > now() - make_interval(hours => ${IDLE_HOURS})`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  if (row.stale && isAsked) await sql`update sessions set last_seen_at = now() where token_hash = ${hash}`.execute(db);
  return {
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
    authenticatedAt: row.authenticated_at,
  };
}

/** Opens a session and answers the token for the cookie; only its hash is stored. */
export async function openSession(db: Db, session: NewSession): Promise<string> {
  const token = newToken();
  await sql`
    insert into sessions (token_hash, id, user_id, limited, permissions, user_agent, address, expires_at)
    values (${hashToken(token)}, ${newId()}, ${session.userId}, ${session.limited ?? false},
            ${session.permissions ? JSON.stringify(session.permissions) : null}, ${session.userAgent?.slice(0, 300) ?? null},
            ${session.address ?? null},
            least(coalesce(${session.expiresAt ?? null}::timestamptz, 'infinity'), now() + make_interval(days => ${ABSOLUTE_DAYS})))`.execute(
    db,
  );
  return token;
}

/** Tells every node that a person's sessions or rights changed; it is heard when the transaction commits. */
export async function announceSessionChange(db: Db, userId: string): Promise<void> {
  await sql`select pg_notify(${SESSION_CHANNEL}, ${userId})`.execute(db);
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
