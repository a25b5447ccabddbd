import { createHmac, timingSafeEqual } from 'node:crypto';

// RFC 6238 over RFC 4226 with what every app knows: SHA-1, six digits, thirty seconds.

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** A code of the step before or after counts too: clocks differ and people type slowly. */
const WINDOW = [0, -1, 1];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const TOTP_SECRET_BYTES = SECRET_BYTES;

export function stepAt(epochSeconds: number): number {
  return Math.floor(epochSeconds / STEP_SECONDS);
}

/** The code of one step. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The step a code is of, near to now; undefined for a wrong code. All are compared, whichever matches. */
export function stepOf(secret: Buffer, code: string, epochSeconds: number): number | undefined {
  const given = Buffer.from(code.padEnd(6).slice(0, 6));
  const now = stepAt(epochSeconds);
  const matching = WINDOW.map((shift) => now + shift).filter((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), given),
  );
  return code.length === 6 ? matching[0] : undefined;
}

/** RFC 4648 without padding, as apps want a secret. */
export function base32(bytes: Buffer): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((held >> bits) & 31);
    }
  }
  return bits > 0 ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text;
}

/** What an app scans. */
export function otpauthUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
