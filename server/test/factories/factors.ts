import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { insertPasskey } from '../../areas/auth/passkey.repository.ts';
import { readNewPasskey, registrationOptions } from '../../areas/auth/passkey.service.ts';
import { makeRecoveryCodes } from '../../areas/auth/factor-proof.service.ts';
import { insertTotp, updateHasFactor, useTotpStep } from '../../areas/auth/second-factor.repository.ts';
import { codeAt, stepAt, TOTP_SECRET_BYTES } from '#server/areas/auth/totp.policy.ts';
import { newId } from '../../db/client.ts';
import type { TestApp } from '../app.ts';
import { makeAuthenticator } from './authenticator.ts';

/** Gives a person an authenticator app. Returns its codes, `shift` steps from now, and the recovery codes. */
export async function giveApp(
  test: TestApp,
  { id }: { id: string },
): Promise<{ code: (shift?: number) => string; recoveryCodes: string[] }> {
  const { db, seal } = test.ctx;
  const secret = randomBytes(TOTP_SECRET_BYTES);
  await insertTotp(db, { userId: id, secret: seal.close(secret, id) });
  await useTotpStep(db, { userId: id, step: 1 });
  await updateHasFactor(db, id);
  await test.forgetSessions(id);
  const recoveryCodes = await makeRecoveryCodes(test.ctx, db, id);
  return { code: (shift = 0) => codeAt(secret, stepAt(Date.now() / 1000) + shift), recoveryCodes };
}

/** Makes a person's sign-ins too old to count as recent. */
export async function ageSignIn(test: TestApp, { id }: { id: string }): Promise<void> {
  await sql`update sessions set authenticated_at = now() - interval '16 minutes' where user_id = ${id}`.execute(
    test.ctx.db,
  );
  await test.forgetSessions(id);
}

/** The code of an app that a person is setting up. */
export async function unconfirmedCode(test: TestApp, { id }: { id: string }): Promise<string> {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  await insertTotp(test.ctx.db, { userId: id, secret: test.ctx.seal.close(secret, id) });
  return codeAt(secret, stepAt(Date.now() / 1000));
}

/** Gives a person a passkey and returns its device. */
export async function givePasskey(
  test: TestApp,
  person: { id: string; name: string; email: string },
): Promise<{ id: string; device: ReturnType<typeof makeAuthenticator> }> {
  const device = makeAuthenticator();
  const { options } = await registrationOptions(test.ctx, person);
  const made = await readNewPasskey(test.ctx, person.id, device.make(options));
  if (!made) throw new Error('the passkey was not accepted');
  const { credentialId, publicKey, counter, transports } = made;
  const id = newId();
  const row = { id, user_id: person.id, credential_id: credentialId, public_key: publicKey, counter, transports };
  await insertPasskey(test.ctx.db, { ...row, name: 'A key' });
  await updateHasFactor(test.ctx.db, person.id);
  await test.forgetSessions(person.id);
  return { id, device };
}
