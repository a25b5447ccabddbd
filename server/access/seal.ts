import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Protects secrets so that a copy of the database alone does not reveal them. */
export type Seal = {
  /** Encrypts a secret; opening it requires the same `owner`. */
  close(secret: Buffer, owner: string): Buffer;
  /** Undefined when it was sealed with another key or for another owner. */
  open(sealed: Buffer, owner: string): Buffer | undefined;
  /** For secrets that are only compared, and too short to be safe under a plain hash. */
  hash(secret: string, owner: string): Buffer;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

function derive(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `officium ${purpose}`, 32));
}

/** AES-256-GCM and HMAC-SHA-256, each with a key derived from the key of the installation. */
export function createSeal(installationKey: string): Seal {
  const cipherKey = derive(installationKey, 'seal');
  const hashKey = derive(installationKey, 'hash');
  return {
    close(secret, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(owner));
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      try {
        const iv = sealed.subarray(0, IV_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, iv, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(sealed.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
    hash: (secret, owner) => createHmac('sha256', hashKey).update(`${owner}:${secret}`).digest(),
  };
}
