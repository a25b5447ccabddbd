import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { hashToken, newToken } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { insertChallenge, takeCodeAttempt, type ChallengeKind } from './challenge.repository.ts';

const MINUTE = 60;
/** Lifetime of each kind of secret. */
export const TTL_SECONDS = {
  'sign-up': 10 * MINUTE,
  'sign-up-link': 10 * MINUTE,
  'login-link': 10 * MINUTE,
  'password-reset': 10 * MINUTE,
  'session-token': MINUTE,
  'email-change': 60 * MINUTE,
  'second-factor': 10 * MINUTE,
  confirmation: 10 * MINUTE,
  // Given to a browser that has just proven its address. Long enough to finish the welcome steps.
  onboarding: 60 * MINUTE,
} as const satisfies Record<ChallengeKind, number>;

/** Longer than the others, because the recipient of an invitation is not waiting for it. */
export const INVITATION_TTL_SECONDS = 72 * 60 * MINUTE;

/** Kinds that are mailed as six digits. */
type CodeKind = 'sign-up' | 'confirmation';

/** Creates a single-use secret and stores only its hash. */
export async function issueSecret(
  db: Db,
  challenge: {
    kind: Exclude<ChallengeKind, CodeKind>;
    userId: string;
    detail?: Record<string, unknown>;
    ttlSeconds?: number;
  },
): Promise<string> {
  const secret = newToken();
  await insertChallenge(db, {
    kind: challenge.kind,
    userId: challenge.userId,
    secretHash: hashToken(secret),
    ttlSeconds: challenge.ttlSeconds ?? TTL_SECONDS[challenge.kind],
    detail: challenge.detail,
  });
  return secret;
}

function hashCode(userId: string, code: string): Buffer {
  return createHash('sha256').update(`${userId}:${code}`).digest();
}

/** Creates a six-digit code; older codes become void. Mailed links stay valid, since mails may arrive out of order. */
export async function issueCode(db: Db, userId: string, kind: CodeKind = 'sign-up'): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await insertChallenge(db, {
    kind,
    userId,
    secretHash: hashCode(userId, code),
    ttlSeconds: TTL_SECONDS[kind],
  });
  return code;
}

/**
 * Returns the id of the challenge that a code answers, without consuming it. A wrong code gives undefined and counts as
 * an attempt even if the caller rolls back.
 */
export async function findCode(
  ctx: Ctx,
  userId: string,
  code: string,
  kind: CodeKind = 'sign-up',
): Promise<string | undefined> {
  const expected = hashCode(userId, code);
  const live = await takeCodeAttempt(ctx.lastingDb, { userId, kind });
  return live && timingSafeEqual(live.secretHash, expected) ? live.id : undefined;
}
