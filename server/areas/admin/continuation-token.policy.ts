import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MemberPosition } from './member.repository.ts';

const MAC_BYTES = 16;
const sign = (key: Buffer, payload: Buffer) =>
  createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

/** An authenticated position in a list. */
export function writeToken(key: Buffer, { joinedMicros, userId }: MemberPosition): string {
  const payload = Buffer.from(`${joinedMicros} ${userId}`);
  return Buffer.concat([sign(key, payload), payload]).toString('base64url');
}

/** Undefined unless `writeToken` wrote exactly this token with this key. */
export function readToken(key: Buffer, token: string): MemberPosition | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(key, payload))) return undefined;
  const [joinedMicros = '', userId = ''] = payload.toString().split(' ');
  return { joinedMicros, userId };
}
