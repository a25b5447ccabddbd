import { createHash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey, PasskeyProof } from '@officium/contract/second-factor';
import type { z } from 'zod';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import {
  findPasskeys,
  getPasskey,
  insertPasskeyChallenge,
  takePasskeyChallenge,
  updatePasskeyUse,
  type PasskeyPurpose,
  type PasskeyRow,
} from './passkey.repository.ts';

export type Proof = z.output<typeof PasskeyProof>;
type Options = { options: Record<string, unknown> };

const TTL_SECONDS = 5 * 60;
/**
 * Ed25519, ES256 and RS256, which devices support. The library's defaults include algorithms that are experimental in
 * Node.
 */
const ALGORITHMS = [-8, -7, -257];

/** Loaded on first use, because it includes a large certificate parser. */
const webauthn = () => import('@simplewebauthn/server');

/** Passkeys are bound to the site's host and its origin. */
function siteOf(ctx: Ctx): { rpID: string; origin: string } {
  return { rpID: new URL(ctx.config.publicUrl).hostname, origin: ctx.config.publicUrl };
}

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest();
const transportsOf = ({ transports }: PasskeyRow) =>
  transports as NonNullable<RegistrationResponseJSON['response']['transports']>; // stored as browsers reported them

/** Options for creating a passkey. They list the existing ones, so that no device creates a second one. */
export async function registrationOptions(
  ctx: Ctx,
  user: { id: string; email: string; name: string },
): Promise<Options> {
  const known = await findPasskeys(ctx.db, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: ctx.site.current().name,
    rpID: siteOf(ctx).rpID,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keep(ctx, options.challenge, 'register', user.id);
  return { options: { ...options } };
}

/** Options for proving a passkey: one of the account's, or any for this site when `userId` is null. */
export async function proofOptions(ctx: Ctx, purpose: PasskeyPurpose, userId: string | null): Promise<Options> {
  const known = userId === null ? undefined : await findPasskeys(ctx.db, userId);
  if (known?.length === 0) throw new AppError('auth.no_such_proof');
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: siteOf(ctx).rpID,
    userVerification: 'required',
    allowCredentials: known?.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
  });
  await keep(ctx, options.challenge, purpose, userId);
  return { options: { ...options } };
}

async function keep(ctx: Ctx, challenge: string, purpose: PasskeyPurpose, userId: string | null): Promise<void> {
  await insertPasskeyChallenge(ctx.db, { hash: hashOf(challenge), purpose, userId, ttlSeconds: TTL_SECONDS });
}

/**
 * Consumes and returns the challenge of an answer, even if the answer then fails. Undefined for an unknown challenge.
 */
async function takeChallenge(
  ctx: Ctx,
  clientDataJSON: string,
  of: { purpose: PasskeyPurpose; userId: string | null },
): Promise<string | undefined> {
  let challenge: unknown;
  try {
    ({ challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }); // validated below
  } catch {
    return undefined;
  }
  if (typeof challenge !== 'string') return undefined;
  return (await takePasskeyChallenge(ctx.lastingDb, { hash: hashOf(challenge), ...of })) ? challenge : undefined;
}

/** Verifies a registration. Undefined unless it answers a live challenge of this site for this user. */
export async function readNewPasskey(
  ctx: Ctx,
  userId: string,
  passkey: z.output<typeof NewPasskey>,
): Promise<{ credentialId: string; publicKey: Buffer; counter: number; transports: string[] } | undefined> {
  const challenge = await takeChallenge(ctx, passkey.response.clientDataJSON, { purpose: 'register', userId });
  if (challenge === undefined) return undefined;
  const { rpID, origin } = siteOf(ctx);
  try {
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey as RegistrationResponseJSON, // the schema covers every field the library reads
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey),
      counter,
      transports: passkey.response.transports ?? [],
    };
  } catch (error) {
    ctx.log.debug({ err: error }, 'passkey rejected');
    return undefined;
  }
}

/**
 * Returns the passkey that signed the challenge, undefined on failure. `userId` restricts it to one user; null accepts
 * any. `db` is a transaction; lock the user first to keep the passkey from being removed meanwhile.
 */
export async function checkPasskey(
  ctx: Ctx,
  db: Db,
  { proof, purpose, userId }: { proof: Proof; purpose: PasskeyPurpose; userId: string | null },
): Promise<PasskeyRow | undefined> {
  const challenge = await takeChallenge(ctx, proof.response.clientDataJSON, { purpose, userId });
  const row = challenge === undefined ? undefined : await getPasskey(db, proof.id);
  if (challenge === undefined || !row || (userId !== null && row.user_id !== userId)) return undefined;
  const { rpID, origin } = siteOf(ctx);
  try {
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: proof as AuthenticationResponseJSON, // the schema covers every field the library reads
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
        transports: transportsOf(row),
      },
    });
    if (!verified) return undefined;
    await updatePasskeyUse(db, { id: row.id, counter: authenticationInfo.newCounter });
    return row;
  } catch (error) {
    ctx.log.debug({ err: error }, 'passkey rejected');
    return undefined;
  }
}
