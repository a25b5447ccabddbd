import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';

export type ChallengeKind =
  | 'sign-up'
  | 'sign-up-link'
  | 'login-link'
  | 'session-token'
  | 'onboarding'
  | 'password-reset'
  | 'email-change'
  | 'second-factor'
  | 'confirmation';
export type Consumed = { userId: string; detail: Record<string, unknown> };

/** Wrong tries after which a code is dead. */
const MAX_ATTEMPTS = 5;

export async function insertChallenge(
  db: Db,
  challenge: {
    kind: ChallengeKind;
    userId: string;
    secretHash: Buffer;
    ttlSeconds: number;
    detail?: Record<string, unknown>;
  },
): Promise<void> {
  await sql`
    insert into challenges (id, kind, user_id, secret_hash, detail, expires_at)
    values (${newId()}, ${challenge.kind}, ${challenge.userId}, ${challenge.secretHash},
            ${JSON.stringify(challenge.detail ?? {})}, now() + make_interval(secs => ${challenge.ttlSeconds}))`.execute(
    db,
  );
}

/** Whose secret this is, while it works; leaves it as it is. */
export async function getChallenge(
  db: Db,
  { kind, secretHash }: { kind: ChallengeKind; secretHash: Buffer },
): Promise<Consumed | undefined> {
  const { rows } = await sql<{ user_id: string; detail: Record<string, unknown> }>`
    select user_id, detail from challenges
    where secret_hash = ${secretHash} and kind = ${kind} and used_at is null and expires_at > now()`.execute(db);
  return rows[0] && { userId: rows[0].user_id, detail: rows[0].detail };
}

/** Uses a secret up. Of any number of callers at the same time one gets an answer. */
export async function consumeChallenge(
  db: Db,
  { kind, secretHash }: { kind: ChallengeKind; secretHash: Buffer },
): Promise<Consumed | undefined> {
  const { rows } = await sql<{ user_id: string; detail: Record<string, unknown> }>`
    update challenges set used_at = now()
    where secret_hash = ${secretHash} and kind = ${kind} and used_at is null and expires_at > now()
    returning user_id, detail`.execute(db);
  return rows[0] && { userId: rows[0].user_id, detail: rows[0].detail };
}

/** Ends what a person was sent and has not used: of some kinds, or all. */
export async function endChallenges(db: Db, userId: string, kinds?: ChallengeKind[]): Promise<void> {
  await sql`
    update challenges set used_at = now()
    where user_id = ${userId} and used_at is null and (${kinds ?? null}::text[] is null or kind = any(${kinds ?? null}))`.execute(
    db,
  );
}

/**
 * Takes one attempt from the person's newest code of a kind and returns the code while it is valid; older codes are void.
 * Attempts are taken before comparing, so that parallel attempts stay within the limit.
 */
export async function takeCodeTry(
  db: Db,
  { userId, kind }: { userId: string; kind: ChallengeKind },
): Promise<{ id: string; secretHash: Buffer } | undefined> {
  const { rows } = await sql<{ id: string; secret_hash: Buffer }>`
    update challenges set attempts = attempts + 1
    where id = (select id from challenges where user_id = ${userId} and kind = ${kind} order by created_at desc, id desc limit 1)
      and used_at is null and expires_at > now() and attempts < ${MAX_ATTEMPTS}
    returning id, secret_hash`.execute(db);
  return rows[0] && { id: rows[0].id, secretHash: rows[0].secret_hash };
}

/** Takes one try from a challenge that may be answered wrongly, and answers whose it is while it works. */
export async function takeChallengeTry(
  db: Db,
  { kind, secretHash }: { kind: ChallengeKind; secretHash: Buffer },
): Promise<Consumed | undefined> {
  const { rows } = await sql<{ user_id: string; detail: Record<string, unknown> }>`
    update challenges set attempts = attempts + 1
    where secret_hash = ${secretHash} and kind = ${kind} and used_at is null and expires_at > now()
      and attempts < ${MAX_ATTEMPTS}
    returning user_id, detail`.execute(db);
  return rows[0] && { userId: rows[0].user_id, detail: rows[0].detail };
}

/** Uses a code up; false when somebody else has. */
export async function consumeCode(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    update challenges set used_at = now() where id = ${id} and used_at is null and expires_at > now() returning id`.execute(
    db,
  );
  return rows.length > 0;
}
