import { createHmac, timingSafeEqual } from 'node:crypto';

// RFC 6238 over RFC 4226 with the parameters every app supports: SHA-1, six digits, thirty seconds.

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** The previous and next step also count, because clocks differ and people type slowly. */
const WINDOW = [0, -1, 1];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const TOTP_SECRET_BYTES = SECRET_BYTES;

export function stepAt(epochSeconds: number): number {
  return Math.floor(epochSeconds / STEP_SECONDS);
}

/** The code of a step. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** The step of a code near the current time; undefined for a wrong code. Compares all steps to keep timing constant. */
export function stepOf(secret: Buffer, code: string, epochSeconds: number): number | undefined {
  const given = Buffer.from(code.padEnd(6).slice(0, 6));
  const now = stepAt(epochSeconds);
  const matching = WINDOW.map((shift) => now + shift).filter((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), given),
  );
  return code.length === 6 ? matching[0] : undefined;
}

/** RFC 4648 without padding, the format apps expect. */
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

/** The URI in the QR code. */
export function otpauthUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
