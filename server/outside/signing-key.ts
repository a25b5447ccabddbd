import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, CompactSign } from 'jose';

/** The public half of an Ed25519 key, in the format of RFC 8037. */
export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string };

export type SigningKey = {
  /** RFC 7638 thumbprint of the public half. */
  kid: string;
  publicJwk: PublicJwk;
  /** Signs a JSON object as a compact JWS (EdDSA). `header` is added to the protected header. */
  sign(header: Record<string, string>, payload: object): Promise<string>;
};

const FILE = 'credential-key.pem';

/** Parses an Ed25519 private key from PKCS #8 PEM or a JWK. Throws if it is not one. */
export function readPrivateKey(text: string): KeyObject {
  const key = text.trimStart().startsWith('{')
    ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
    : createPrivateKey(text.replaceAll('\\n', '\n')); // environment files write PEM on one line
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
}

/** Opens the given key, else the key stored in `folder`, creating it if needed. */
export async function openSigningKey(folder: string, given?: KeyObject): Promise<SigningKey> {
  const key = given ?? (await keptKey(folder));
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as PublicJwk; // the export format of an Ed25519 key
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    sign: async (header, payload) =>
      await new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'EdDSA', ...header })
        .sign(key),
  };
}

async function keptKey(folder: string): Promise<KeyObject> {
  const path = join(folder, FILE);
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept !== undefined) return readPrivateKey(kept);
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Linking is atomic and never overwrites a key that another process has just created.
  const part = `${path}.${randomUUID()}`;
  await writeFile(part, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const made = await link(part, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  await rm(part);
  return made ? privateKey : readPrivateKey(await readFile(path, 'utf8'));
}
