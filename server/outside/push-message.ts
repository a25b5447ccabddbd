import { createCipheriv, createECDH, createPrivateKey, ECDH, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';

/** The keys of a browser's subscription: an uncompressed P-256 point and a secret of 16 bytes. */
export type PushReceiver = { publicKey: Buffer; authSecret: Buffer };

/** A fresh P-256 key pair and salt for one message. */
export type MessageKeys = { privateKey: Buffer; salt: Buffer };

const CURVE = 'prime256v1';
/** One record holds every message: push services accept 4096 bytes at least. */
const RECORD_SIZE = 4096;
/** Ends the last record (RFC 8188, 2). */
const LAST_RECORD = 2;
/** Lengths tell about words, so every message has this many bytes before it is encrypted, or more if it is longer. */
const PADDED_BYTES = 1024;

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

function freshKeys(): MessageKeys {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return { privateKey: pair.getPrivateKey(), salt: randomBytes(16) };
}

/** Whether these bytes are a point of the curve. */
export function isPushKey(publicKey: Buffer): boolean {
  try {
    ECDH.convertKey(publicKey, CURVE);
    return publicKey.length === 65;
  } catch {
    return false;
  }
}

/** Pads a message with zeros after the delimiter. */
export function padded(message: Buffer): Buffer {
  const zeros = Math.max(0, PADDED_BYTES - message.length - 1);
  return Buffer.concat([message, Buffer.from([LAST_RECORD]), Buffer.alloc(zeros)]);
}

/**
 * Encrypts a message for one browser, so that its push service cannot read it (RFC 8291, with `aes128gcm` of RFC 8188).
 * `record` is the message with its delimiter. Throws when the public key is no point of the curve.
 */
export function encryptPush(record: Buffer, { publicKey, authSecret }: PushReceiver, keys = freshKeys()): Buffer {
  const own = createECDH(CURVE);
  own.setPrivateKey(keys.privateKey);
  const ownPublicKey = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownPublicKey]);
  const secret = derive(own.computeSecret(publicKey), authSecret, info, 32);
  const key = derive(secret, keys.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, keys.salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([
    keys.salt,
    size,
    Buffer.from([ownPublicKey.length]),
    ownPublicKey,
    cipher.update(record),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** The key pair of the installation: the public half as browsers take it, the private one as 32 bytes. */
export type PushKeyPair = { publicKey: string; privateKey: Buffer };

export function makePushKeys(): PushKeyPair {
  const pair = createECDH(CURVE);
  // The private half can be shorter when it begins with zeros.
  const publicKey = pair.generateKeys('base64url');
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32) };
}

function signingKey({ publicKey, privateKey }: PushKeyPair): KeyObject {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', x, y, d: privateKey.toString('base64url') };
  return createPrivateKey({ key, format: 'jwk' });
}

/** The Authorization header by which a push service knows who sends (RFC 8292), valid for twelve hours. */
export async function pushAuthorization(keys: PushKeyPair, to: URL, { subject, now }: { subject: string; now: Date }) {
  const token = await new SignJWT({ sub: subject })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(to.origin)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + 12 * 3600)
    .sign(signingKey(keys));
  return `vapid t=${token}, k=${keys.publicKey}`;
}
