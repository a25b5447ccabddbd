import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MemberPlace } from './member.repository.ts';

const MAC_BYTES = 16;
const sign = (key: Buffer, payload: Buffer) =>
  createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

/** Where to go on in a list, as a text that only the holder of the key can make. */
export function writeToken(key: Buffer, { joinedMicros, userId }: MemberPlace): string {
  const payload = Buffer.from(`${joinedMicros} ${userId}`);
  return Buffer.concat([sign(key, payload), payload]).toString('base64url');
}

/** Undefined for whatever `writeToken` did not write with this key, byte for byte. */
export function readToken(key: Buffer, token: string): MemberPlace | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(key, payload))) return undefined;
  const [joinedMicros = '', userId = ''] = payload.toString().split(' ');
  return { joinedMicros, userId };
}
