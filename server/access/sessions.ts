// Raw SQL: it reads the session of every request whose session is not cached.
import { hash as digest, randomBytes } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { announce } from '../db/announce.ts';
import { newId, NOW, type Db } from '../db/client.ts';
import { RECENT_MINUTES } from './recent.ts';
import type { HeldRole, TokenPermissions, UserViewer } from './viewer.ts';

export const IDLE_HOURS = 12;
const ABSOLUTE_DAYS = 30;
/** How long a cached session is trusted. Announcements end it sooner on all nodes; this bounds a lost one. */
const FRESH_MS = 4_000;
const MAX_CACHED = 10_000;
/** The time of proof in a minted session: its holder has proven nothing. */
const NEVER = new Date(0);

export function hashToken(token: string): Buffer {
  return digest('sha256', token, 'buffer');
}

/** 256 random bits, in the form used in cookies and links. */
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
  /** When the user last proved their identity, instead of now; null for one who never did, as in a minted session. */
  authenticatedAt?: Date | null;
};

export type SessionStore = {
  /**
   * The account of a cookie, or undefined when the session is unknown, idle for 12 hours or expired. `isAsked: false`:
   * a check without user activity, which does not keep the session from becoming idle.
   */
  find(token: string, options?: { isAsked?: boolean }): Promise<UserViewer | undefined>;
  /** Drops a user's cached sessions; called when a node announces that they changed. */
  forget(userId: string): void;
  /** Drops all cached sessions; called when announcements may have been missed. */
  forgetAll(): void;
};

type Cached = { viewer: UserViewer; until: number };

/** A per-node cache of sessions, each for a few seconds. */
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
      // A session that ended during the read must not be cached afterwards.
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

/** SQLSTATEs of a database that answers reads but refuses writes, for example because its disk is full. */
const TAKES_NO_WRITES = /^(53|25006$)/;

/** Reading requests are served even while the database takes no writes. */
async function writeIfPossible(statement: { execute(): Promise<unknown> }): Promise<void> {
  await statement.execute().catch((error: unknown) => {
    const { code } = error as { code?: unknown }; // PostgreSQL errors have a code
    if (!TAKES_NO_WRITES.test(String(code))) throw error;
  });
}

/** An assignment `r` as a HeldRole. */
const ROLE = sql`json_build_object('role', r.role, 'kind', r.kind,
  'id', coalesce(r.academy_id, r.course_id, r.cohort_id::text, r.community_id::text),
  'courses', (select json_agg(a.course_id) from academy_courses a where a.academy_id = r.academy_id))`;

/** The roles of the account; null, after one look into an index, for the many without. */
const ROLES = sql`(select json_agg(${ROLE}) from role_assignments r where r.user_id = u.id)`;

/**
 * The viewer with the roles they hold now instead of those of the session. In a transaction the rows stay locked, so
 * that none is taken away before it ends. Administrators need none.
 */
export async function withCurrentRoles(db: Db, viewer: UserViewer): Promise<UserViewer> {
  if (viewer.role === 'administrator') return viewer;
  const { rows } = await sql<{ roles: HeldRole[] | null }>`
    with held as materialized (select * from role_assignments where user_id = ${viewer.id} for share)
    select json_agg(${ROLE}) as roles from held r`.execute(db);
  return { ...viewer, roles: rows[0]?.roles ?? [] };
}

/** Whether roles are assigned to an account. */
export async function holdsRoles(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('role_assignments')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A raw statement: it runs every few seconds for each active session. */
async function readSession(db: Db, hash: Buffer, isAsked: boolean): Promise<Read | undefined> {
  const { rows } = await sql<{
    id: string;
    user_id: string;
    limited: boolean;
    permissions: TokenPermissions | null;
    recent_ms: number;
    minted: boolean;
    second_factor: boolean;
    stale: boolean;
    role: UserViewer['role'];
    name: string;
    email: string;
    locale: Locale;
    locale_chosen: boolean;
    image_thumbnail: string | null;
    proven: boolean;
    roles: HeldRole[] | null;
    left_ms: number;
    is_over: boolean;
  }>`
    select s.id, s.user_id, s.limited, s.permissions, u.second_factor,
           extract(epoch from s.authenticated_at + make_interval(mins => ${RECENT_MINUTES}) - now())::float8 * 1000 as recent_ms,
           s.authenticated_at <= ${NEVER} as minted,
           s.last_seen_at < now() - interval '5 minutes' as stale,
           u.role, u.name, u.email, u.locale, u.locale_chosen, u.image_thumbnail, u.email_proven_at is not null as proven,
           ${ROLES} as roles,
           extract(epoch from s.expires_at - now())::float8 * 1000 as left_ms,
           s.expires_at <= now() or s.last_seen_at <= now() - make_interval(hours => ${IDLE_HOURS}) as is_over
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hash} and u.erased_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  if (row.is_over) {
    // Deleted, so that it stays expired when the database's clock is set back.
    await writeIfPossible(db.deleteFrom('sessions').where('token_hash', '=', hash));
    return undefined;
  }
  if (row.stale && isAsked)
    await writeIfPossible(db.updateTable('sessions').set({ last_seen_at: NOW }).where('token_hash', '=', hash));
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
    ...(row.roles ? { roles: row.roles } : {}),
    ...(row.minted ? { isMinted: true } : {}),
  };
  return { viewer, leftMs: row.left_ms };
}

/** Opens a session and returns the token for the cookie; only its hash is stored. */
export async function openSession(db: Db, session: NewSession): Promise<string> {
  const token = newToken();
  const latest = sql<Date>`now() + make_interval(days => ${ABSOLUTE_DAYS})`;
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      id: newId(),
      user_id: session.userId,
      limited: session.limited ?? false,
      permissions: session.permissions ? JSON.stringify(session.permissions) : null,
      user_agent: session.userAgent?.slice(0, 300) ?? null,
      address: session.address ?? null,
      authenticated_at: session.authenticatedAt === undefined ? NOW : (session.authenticatedAt ?? NEVER),
      expires_at: session.expiresAt ? sql<Date>`least(${session.expiresAt}::timestamptz, ${latest})` : latest,
    })
    .execute();
  return token;
}

/** Announces to every node that a user's sessions or rights changed; delivered when the transaction commits. */
export async function announceSessionChange(db: Db, userId: string): Promise<void> {
  await announce(db, 'officium_sessions', userId);
}

/** Ends a user's sessions, all of them or all but one. */
export async function endSessions(db: Db, userId: string, exceptSessionId?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptSessionId !== undefined, (qb) => qb.where('id', '<>', exceptSessionId!)) // not undefined
    .execute();
  await announceSessionChange(db, userId);
}

/** Ends one session. */
export async function endSession(db: Db, session: { userId: string; sessionId: string }): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', session.sessionId).where('user_id', '=', session.userId).execute();
  await announceSessionChange(db, session.userId);
}

/** Records that the user of a session has just proven their identity. */
export async function renewAuthentication(db: Db, session: { userId: string; sessionId: string }): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ authenticated_at: NOW })
    .where('id', '=', session.sessionId)
    .where('user_id', '=', session.userId)
    .execute();
  await announceSessionChange(db, session.userId);
}

/** The properties that a replacing session inherits; undefined when the session has ended. */
export async function getSuccession(
  db: Db,
  sessionId: string,
): Promise<{ authenticatedAt: Date; expiresAt: Date; leftSeconds: number } | undefined> {
  return await db
    .selectFrom('sessions')
    .select(['authenticated_at as authenticatedAt', 'expires_at as expiresAt'])
    .select(sql<number>`extract(epoch from expires_at - now())::float8`.as('leftSeconds'))
    .where('id', '=', sessionId)
    .where('expires_at', '>', NOW)
    .executeTakeFirst();
}
