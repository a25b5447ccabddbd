import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { hashToken, newToken } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { insertChallenge, takeCodeTry, type ChallengeKind } from './challenge.repository.ts';

const MINUTE = 60;
/** How long each kind of secret works. */
export const TTL_SECONDS = {
  'sign-up': 10 * MINUTE,
  'sign-up-link': 10 * MINUTE,
  'login-link': 10 * MINUTE,
  'password-reset': 10 * MINUTE,
  'session-token': MINUTE,
  'email-change': 60 * MINUTE,
  'second-factor': 10 * MINUTE,
  confirmation: 10 * MINUTE,
  // Handed to a browser that has just proven the address; long enough for the steps of the welcome.
  onboarding: 60 * MINUTE,
} as const satisfies Record<ChallengeKind, number>;

/** An invitation greets somebody who did not ask for it just now. */
export const INVITATION_TTL_SECONDS = 72 * 60 * MINUTE;

/** Of these six digits are mailed. */
type CodeKind = 'sign-up' | 'confirmation';

/** Makes a secret that works once; only its hash is stored. */
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

/** The challenge a code answers, not used up yet; undefined for a wrong code, which is counted whatever follows. */
export async function findCode(
  ctx: Ctx,
  userId: string,
  code: string,
  kind: CodeKind = 'sign-up',
): Promise<string | undefined> {
  const expected = hashCode(userId, code);
  const live = await takeCodeTry(ctx.lastingDb, { userId, kind });
  return live && timingSafeEqual(live.secretHash, expected) ? live.id : undefined;
}
