import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { PublicJwk, SigningKey } from '#server/outside/signing-key.ts';
import { readPublicCertificate } from './certificate.service.ts';
import { toBadge } from './badge.view.ts';
import { issuerOf } from './issuer.view.ts';
import { findCredentialKeys, getRevokedPositions, insertCredentialKey } from './credential.repository.ts';
import { credentialAddresses, STATUS_LIST_SIZE, toClaims, toCredential, toStatusList } from './credential.view.ts';
import type { PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';

const published = new WeakMap<SigningKey, Promise<void>>();

/** Publishes the key of this process, once. */
async function publishKey({ credentialKey: key, lastingDb }: Ctx): Promise<void> {
  let publishing = published.get(key);
  if (!publishing) published.set(key, (publishing = insertCredentialKey(lastingDb, key)));
  try {
    await publishing;
  } catch (error) {
    published.delete(key);
    throw error;
  }
}

/** Signs a credential as a JWT. Publishes the key first, so that every signature can be verified. */
async function signCredential(ctx: Ctx, credential: Parameters<typeof toClaims>[0]): Promise<string> {
  await publishKey(ctx);
  const { credentialKey: key, config } = ctx;
  return await key.sign({ kid: credentialAddresses(config.publicUrl).key(key.kid), typ: 'JWT' }, toClaims(credential));
}

/** A certificate as a signed credential; 409 if it was revoked. */
export async function readCredential(ctx: Ctx, publicId: string): Promise<{ row: PublicCertificateRow; jwt: string }> {
  const row = await readPublicCertificate(ctx, publicId);
  if (row.revoked_at !== null) throw new AppError('learner.certificate_revoked');
  return { row, jwt: await signCredential(ctx, toCredential(row, issuerOf(ctx, row))) };
}

/** The badge of a certificate: an SVG that contains the credential. */
export async function readBadge(ctx: Ctx, publicId: string): Promise<{ row: PublicCertificateRow; svg: string }> {
  const { row, jwt } = await readCredential(ctx, publicId);
  return { row, svg: toBadge(row, jwt, issuerOf(ctx, row).issuer) };
}

/** The signed list of revoked credentials. */
export async function readStatusList(ctx: Ctx, list: number): Promise<string> {
  const revoked = await getRevokedPositions(ctx.db, { first: list * STATUS_LIST_SIZE, size: STATUS_LIST_SIZE });
  if (!revoked) throw notFound();
  return await signCredential(ctx, toStatusList(list, revoked, { ...issuerOf(ctx), now: ctx.clock.now() }));
}

/** Current and former keys for verifying credentials. */
export async function listCredentialKeys(ctx: Ctx): Promise<(PublicJwk & { kid: string; alg: string; use: string })[]> {
  await publishKey(ctx);
  const keys = await findCredentialKeys(ctx.db);
  return keys.map(({ kid, public_key }) => ({ ...public_key, kid, alg: 'EdDSA', use: 'sig' }));
}
