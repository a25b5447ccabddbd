import { unreadable } from './table.format.ts';

const SAMPLE_BYTES = 4096;

/**
 * Decodes a file of unknown encoding: by its byte order mark, as UTF-16 by the position of zero bytes, as UTF-8 if it
 * is valid, else as Windows-1252, the other encoding in which Excel writes CSV.
 */
export function decodeText(bytes: Uint8Array): string {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be').decode(bytes);
  const utf16 = utf16Of(bytes.subarray(0, SAMPLE_BYTES));
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A binary file is not text in Windows-1252 either.
    if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) throw unreadable();
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function startsWith(bytes: Uint8Array, mark: number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

/** Addresses are ASCII, so every other byte is zero in UTF-16. */
function utf16Of(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const most = sample.length / 4;
  if (odd > most && even < most / 8) return 'utf-16le';
  if (even > most && odd < most / 8) return 'utf-16be';
  return undefined;
}
